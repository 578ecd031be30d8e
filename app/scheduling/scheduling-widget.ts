import { useEffect } from "react";
import { scheduling } from "#content/scheduling.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { useSiteFacts } from "../site-facts.ts";
import { tellVisit } from "../tell-visit.ts";

/** The provider's interface, as far as it is used (Calendly's published embed). */
type SchedulingProvider = {
  initPopupWidget: (options: { url: string; prefill: object; utm: object }) => void;
};

declare global {
  interface Window {
    Calendly?: SchedulingProvider;
  }
}

type LoadedWidget = {
  elements: HTMLElement[];
  /** Resolves to the provider, or to null where its script is blocked or is not what it should be. */
  loading: Promise<SchedulingProvider | null>;
  provider: SchedulingProvider | null;
};

// One widget for the whole page, however many buttons there are.
let users = 0;
let widget: LoadedWidget | null = null;

/**
 * Adds the provider's script and stylesheet to the page for the first component that uses them. Answers how to let go
 * of them; the last to do so takes both out of the page.
 */
function holdSchedulingWidget(settings: SiteSettings): () => void {
  users += 1;
  widget ??= loadWidget(settings);
  return function release() {
    users -= 1;
    if (users > 0) return;
    for (const element of widget?.elements ?? []) element.remove();
    widget = null;
  };
}

/** Opens the popup if the widget has loaded; otherwise nothing happens (specification, section 4). */
export function openSchedulingPopup(url: string): void {
  if (!widget?.provider) return;
  widget.provider.initPopupWidget({ url, prefill: {}, utm: {} });
  tellVisit("booking");
}

/** Keeps the widget on the page for as long as the calling component is. */
export function useSchedulingWidget(): void {
  const { settings } = useSiteFacts();
  useEffect(() => holdSchedulingWidget(settings), [settings]);
}

function loadWidget(settings: SiteSettings): LoadedWidget {
  const { assetHost } = settings.scheduling;
  const stylesheet = document.createElement("link");
  stylesheet.rel = "stylesheet";
  stylesheet.href = `${assetHost}/assets/external/widget.css`;
  const script = document.createElement("script");
  script.async = true;
  script.src = `${assetHost}/assets/external/widget.js`;
  // The stand-in of the site itself says how to book, so it's told how.
  if (!assetHost) Object.assign(script.dataset, scheduling.standIn(settings));

  const loading = new Promise<SchedulingProvider | null>((resolve) => {
    script.addEventListener("load", () => resolve(window.Calendly ?? null));
    script.addEventListener("error", () => resolve(null));
  });
  const loaded: LoadedWidget = { elements: [script, stylesheet], loading, provider: null };
  void loading.then((provider) => {
    loaded.provider = provider;
  });
  document.head.append(stylesheet, script);
  return loaded;
}
