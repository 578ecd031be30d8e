import { type ReactNode, useEffect } from "react";
import { hours, openHours } from "#content/hours.ts";
import { ownWords } from "#content/own-words.ts";
import { callsToAction, scheduling } from "#content/site.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { useSiteFacts } from "../site-facts.ts";
import { tellVisit } from "../tell-visit.ts";
import { Button, type ButtonVariant } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";

type BookingButtonProps = {
  /** The contact page has its own booking page; the others share the 30-minute one. */
  place?: "contact" | "page";
  variant?: ButtonVariant;
  children?: ReactNode;
};

export function BookingButton({
  place = "page",
  variant = "primary",
  children = callsToAction.consultation.label,
}: BookingButtonProps) {
  const { scheduling } = useSiteFacts().settings;
  useSchedulingWidget();
  const url = place === "contact" ? scheduling.contactUrl : scheduling.url;
  return (
    <Button variant={variant} aria-haspopup="dialog" onClick={() => openSchedulingPopup(url)}>
      {children}
    </Button>
  );
}

/** A link to the contact page, which opens the booking instead once the widget is there. */
export function BookingLink({ className }: { className: string }) {
  const { scheduling } = useSiteFacts().settings;
  useSchedulingWidget();
  return (
    <Link
      to={callsToAction.call.path}
      className={className}
      onClick={(event) => {
        if (openSchedulingPopup(scheduling.url)) event.preventDefault();
      }}
    >
      {callsToAction.call.label}
    </Link>
  );
}

/** The part of Calendly's published interface that is used. */
type SchedulingProvider = {
  initPopupWidget?: (options: { url: string; prefill: object; utm: object }) => void;
  closePopupWidget?: () => void;
};

declare global {
  interface Window {
    Calendly?: SchedulingProvider;
  }
}

// One script and stylesheet serve all buttons.
let users = 0;
let widget: HTMLElement[] = [];

/** Adds the provider's script and stylesheet with the first component that needs them, and removes them with the last. */
function useSchedulingWidget(): void {
  const { settings } = useSiteFacts();
  useEffect(() => {
    if (users === 0) widget = loadWidget(settings);
    users += 1;
    return () => {
      users -= 1;
      if (users > 0) return;
      for (const element of widget) element.remove();
    };
  }, [settings]);
}

/**
 * False before the widget has loaded (specification, section 4). Reads `window.Calendly` on each press, because
 * a consent tool or tag may have replaced it.
 */
function openSchedulingPopup(url: string): boolean {
  if (!window.Calendly?.initPopupWidget) return false;
  window.Calendly.initPopupWidget({ url, prefill: {}, utm: {} });
  window.addEventListener("popstate", closeSchedulingPopup, { once: true });
  tellVisit("booking");
  return true;
}

/** Back changes the page beneath the popup, which belongs to the page that it was opened on. */
function closeSchedulingPopup(): void {
  try {
    window.Calendly?.closePopupWidget?.();
  } catch {
    // The visitor has closed it already.
  }
}

function loadWidget(settings: SiteSettings): HTMLElement[] {
  const { assetHost } = settings.scheduling;
  const stylesheet = document.createElement("link");
  stylesheet.rel = "stylesheet";
  stylesheet.href = `${assetHost}/assets/external/widget.css`;
  const script = document.createElement("script");
  script.async = true;
  script.src = `${assetHost}/assets/external/widget.js`;
  if (!assetHost)
    Object.assign(
      script.dataset,
      scheduling.standIn(settings, openHours(ownWords(settings, "hours", hours))),
    );
  document.head.append(stylesheet, script);
  return [script, stylesheet];
}
