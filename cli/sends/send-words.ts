import { openRows, type SendListing } from "#newsletter/sends/find-send.ts";
import { number } from "../amount.ts";
import { torontoTime } from "../terminal/toronto-time.ts";

/** Where a send stands, in words. */
export function stateWords({ state, beginsAt, begunAt, pauseReason }: SendListing): string {
  if (state === "waiting") return `waiting for ${torontoTime(beginsAt)}`;
  if (state !== "paused") return state;
  const why = pauseReason === null ? "" : `, by itself: ${pauseReason}`;
  return begunAt === null ? `paused before it began${why}` : `paused${why}`;
}

/** What became of the rows so far, in words: `120 accepted, 3 refused, 877 to go`. */
export function countWords({ counts, begunAt }: SendListing): string {
  if (begunAt === null) return "nobody yet";
  const open = openRows(counts);
  const named = (["accepted", "deferred", "refused", "withdrawn"] as const)
    .filter((state) => state === "accepted" || counts[state] > 0)
    .map((state) => `${number(counts[state])} ${state === "deferred" ? "put off" : state}`);
  return [...named, ...(open > 0 ? [`${number(open)} to go`] : [])].join(", ");
}

/** `40 s`, `12 min`, `3 h 20 min`: how long so many mails take at a rate. */
export function duration(mails: number, mailsPerSecond: number): string {
  const seconds = Math.ceil(mails / mailsPerSecond);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
