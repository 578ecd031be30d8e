import { type ReactNode, useEffect } from "react";
import { scheduling } from "#content/scheduling.ts";
import { callsToAction } from "#content/site.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { useSiteFacts } from "../site-facts.ts";
import { tellVisit } from "../tell-visit.ts";
import { Button, type ButtonVariant } from "../ui/button.tsx";

type BookingButtonProps = {
  /** The contact page has a booking page of its own; every other page shares the 30-minute one. */
  place?: "contact" | "page";
  variant?: ButtonVariant;
  className?: string;
  children?: ReactNode;
};

/** Opens the provider's booking popup. */
export function BookingButton({
  place = "page",
  variant = "primary",
  className,
  children = callsToAction.consultation.label,
}: BookingButtonProps) {
  const { scheduling } = useSiteFacts().settings;
  useSchedulingWidget();
  const url = place === "contact" ? scheduling.contactUrl : scheduling.url;
  return (
    <Button
      variant={variant}
      className={className}
      aria-haspopup="dialog"
      onClick={() => openSchedulingPopup(url)}
    >
      {children}
    </Button>
  );
}

/** The provider's interface, as far as it is used (Calendly's published embed). */
type SchedulingProvider = {
  initPopupWidget?: (options: { url: string; prefill: object; utm: object }) => void;
};

declare global {
  interface Window {
    Calendly?: SchedulingProvider;
  }
}

// One script and one stylesheet for the whole page, however many buttons there are.
let users = 0;
let widget: HTMLElement[] = [];

/**
 * Adds the provider's script and stylesheet to the page for the first component that uses them. Answers how to let go
 * of them; the last to do so takes both out of the page.
 */
function holdSchedulingWidget(settings: SiteSettings): () => void {
  if (users === 0) widget = loadWidget(settings);
  users += 1;
  return function release() {
    users -= 1;
    if (users > 0) return;
    for (const element of widget) element.remove();
  };
}

/**
 * Opens the popup if the widget has loaded; otherwise nothing happens (specification, section 4). The provider is asked
 * for at each press: a consent tool, or a tag of the operator's, may have brought another since the page came.
 */
function openSchedulingPopup(url: string): void {
  if (!window.Calendly?.initPopupWidget) return;
  window.Calendly.initPopupWidget({ url, prefill: {}, utm: {} });
  tellVisit("booking");
}

/** Keeps the widget on the page for as long as the calling component is. */
export function useSchedulingWidget(): void {
  const { settings } = useSiteFacts();
  useEffect(() => holdSchedulingWidget(settings), [settings]);
}

function loadWidget(settings: SiteSettings): HTMLElement[] {
  const { assetHost } = settings.scheduling;
  const stylesheet = document.createElement("link");
  stylesheet.rel = "stylesheet";
  stylesheet.href = `${assetHost}/assets/external/widget.css`;
  const script = document.createElement("script");
  script.async = true;
  script.src = `${assetHost}/assets/external/widget.js`;
  // The stand-in of the site itself says how to book, so it's told how.
  if (!assetHost) Object.assign(script.dataset, scheduling.standIn(settings));
  document.head.append(stylesheet, script);
  return [script, stylesheet];
}
