import type { ReactNode } from "react";
import { hours, torontoHours } from "#content/hours.ts";
import { callsToAction, scheduling } from "#content/site.ts";
import { useOwnWords, useSiteFacts } from "../site-facts.ts";
import { Button, type ButtonVariant } from "../ui/button.tsx";
import { Link, opensElsewhere } from "../ui/link.tsx";

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
  const url = place === "contact" ? scheduling.contactUrl : scheduling.url;
  return (
    <Button variant={variant} aria-haspopup="dialog" data-booking={url} data-press="">
      {children}
    </Button>
  );
}

/** A link to the contact page, which opens the booking instead once the widget is there. */
export function BookingLink({
  className,
  children = callsToAction.call.label,
}: {
  className: string;
  children?: ReactNode;
}) {
  const { scheduling } = useSiteFacts().settings;
  return (
    <Link to={callsToAction.call.path} className={className} data-booking={scheduling.url}>
      {children}
    </Link>
  );
}

const widgetScript = "/assets/external/widget.js";

/**
 * The provider's script and stylesheet, which app/alive/first-hand.js puts into the page once it is at rest; our own
 * stand-in for them, only at the first hand. They go with the page (specification, section 4).
 */
export function WidgetTemplate() {
  const { settings } = useSiteFacts();
  const { assetHost } = settings.scheduling;
  const own = useOwnWords("hours", hours);
  const words: Record<string, string> = assetHost
    ? {}
    : scheduling.standIn(settings, torontoHours(own));
  const data = Object.entries(words).map(
    ([name, text]) =>
      ` data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}="${escaped(text)}"`,
  );
  const html = `<script async src="${escaped(assetHost)}${widgetScript}"${data.join("")}></script><link rel="stylesheet" href="${escaped(assetHost)}/assets/external/widget.css">`;
  return (
    <template
      id="booking-widget"
      data-stand-in={assetHost ? undefined : ""}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the site's own elements, with what varies escaped.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** The part of Calendly's published interface that is used. */
type SchedulingProvider = {
  initPopupWidget?: (options: { url: string; prefill: object; utm: object }) => void;
};

declare global {
  interface Window {
    Calendly?: SchedulingProvider;
  }
}

/** Opens the popup for whatever has a booking address. */
export function bringBookingAlive(): void {
  document.addEventListener("click", (event) => {
    const pressed = (event.target as Element).closest<HTMLElement>("[data-booking]");
    const { booking } = pressed?.dataset ?? {};
    const opensTab = pressed instanceof HTMLAnchorElement && opensElsewhere(event);
    if (booking && !opensTab && openSchedulingPopup(booking)) event.preventDefault();
  });
}

/**
 * False before the widget has loaded (specification, section 4). Reads `window.Calendly` on each press, because
 * a consent tool or tag may have replaced it.
 */
function openSchedulingPopup(url: string): boolean {
  if (!window.Calendly?.initPopupWidget) return false;
  window.Calendly.initPopupWidget({ url, prefill: {}, utm: {} });
  return true;
}

/** Runs once the widget's script has loaded, and never if it fails. */
export function whenWidgetIsThere(run: () => void): void {
  const script = document.querySelector(`script[src$="${widgetScript}"]`);
  if (window.Calendly?.initPopupWidget) run();
  else script?.addEventListener("load", run, { once: true });
}
