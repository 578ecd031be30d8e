import { inToronto, torontoDay } from "#content/toronto-time.ts";

/** `2026-11-21 09:05`: the moment on Toronto's clocks. Empty for null; text that is no time comes back as it is. */
export function torontoTime(moment: Date | string | null): string {
  if (moment === null) return "";
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return String(moment);
  const local = inToronto(date.getTime()).toPlainDateTime();
  return local.toString({ smallestUnit: "minute" }).replace("T", " ");
}

/** `2026-11-21`: the day that it is in Toronto at that moment. */
export function torontoDate(moment: Date): string {
  return torontoDay(moment.getTime()).toString();
}

/** `4 min`, `3 h`, `2 days`: a length of time as one would say it. */
export function formatAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "under a minute";
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}
