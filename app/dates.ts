import { timeZone } from "#content/site.ts";

const longDate = new Intl.DateTimeFormat("en-US", {
  dateStyle: "long",
  timeZone,
});

/** `November 21, 2026`: the day that it is in Toronto at the given moment. */
export function formatLongDate(moment: Date): string {
  return longDate.format(moment);
}

const year = new Intl.DateTimeFormat("en-US", { year: "numeric", timeZone });

/** The year that it is in Toronto at the given moment. */
export function torontoYear(moment: Date): number {
  return Number(year.format(moment));
}
