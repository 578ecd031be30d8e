import { timeZone } from "#content/site.ts";

const longDate = new Intl.DateTimeFormat("en-US", {
  dateStyle: "long",
  timeZone,
});

/** `November 21, 2026`, in Toronto's time. */
export function formatLongDate(moment: Date): string {
  return longDate.format(moment);
}

const year = new Intl.DateTimeFormat("en-US", { year: "numeric", timeZone });

export function torontoYear(moment: Date): number {
  return Number(year.format(moment));
}
