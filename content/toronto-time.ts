import { timeZone } from "./site.ts";

const format = new Intl.DateTimeFormat("en-US", {
  timeZone,
  year: "numeric",
  month: "long",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});

/** An ISO 8601 time as the firm's clock shows it: `November 21, 2026 at 9:05 AM EST`. */
export function torontoTime(isoTime: string): string {
  return format.format(new Date(isoTime));
}
