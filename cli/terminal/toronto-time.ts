import { timeZone } from "#content/site.ts";

const torontoClock = new Intl.DateTimeFormat("en-CA", {
  timeZone,
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** `2026-11-21 09:05`: the moment on Toronto's clocks. Empty for null; text that is no time comes back as it is. */
export function torontoTime(moment: Date | string | null): string {
  if (moment === null) return "";
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return String(moment);
  const part = torontoParts(date);
  return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}`;
}

/** `2026-11-21`: the day that it is in Toronto at that moment. */
export function torontoDate(moment: Date): string {
  const part = torontoParts(moment);
  return `${part.year}-${part.month}-${part.day}`;
}

/** `4 min`, `3 h`, `2 days`: a length of time as one would say it. */
export function formatAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "under a minute";
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

function torontoParts(date: Date): Record<string, string> {
  return Object.fromEntries(
    torontoClock.formatToParts(date).map(({ type, value }) => [type, value]),
  );
}
