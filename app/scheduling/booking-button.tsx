import type { ReactNode } from "react";
import { hours, torontoHours } from "#content/hours.ts";
import { callsToAction, scheduling } from "#content/site.ts";
import { useOwnWords, useSiteFacts } from "../site-facts.ts";
import { Button, type ButtonVariant } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";

type BookingButtonProps = {
  place?: "contact" | "page";
  variant?: ButtonVariant;
  children?: ReactNode;
};

/** Leads to the contact page without scripts. */
export function BookingButton({
  place = "page",
  variant = "primary",
  children = callsToAction.consultation.label,
}: BookingButtonProps) {
  const { scheduling } = useSiteFacts().settings;
  const url = place === "contact" ? scheduling.contactUrl : scheduling.url;
  return (
    <Button
      type="submit"
      form="booking"
      {...{ variant, children }}
      aria-haspopup="dialog"
      data-booking={url}
    />
  );
}

type BookingLinkProps = { className?: string; children?: ReactNode };

/** Leads to the contact page until the widget is there. */
export function BookingLink({ className, children }: BookingLinkProps) {
  const { scheduling } = useSiteFacts().settings;
  return (
    <Link to={callsToAction.call.path} className={className} data-booking={scheduling.url}>
      {children ?? callsToAction.call.label}
    </Link>
  );
}

/**
 * app/alive/first-hand.js takes the provider's files from it once the page rests, our stand-in's at
 * the first hand.
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
  const html = `<script async src="${escaped(assetHost)}/assets/external/widget.js"${data.join("")}></script><link rel="stylesheet" href="${escaped(assetHost)}/assets/external/widget.css">`;
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
