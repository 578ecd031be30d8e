import { visitsPath } from "#contracts/visits.ts";

let shown = "";

/** Tells the server, for its daily sums, what it can't see: that something was opened here without asking for it. */
export function tellVisit(what: string): void {
  navigator.sendBeacon(`${visitsPath}?${what}`);
}

/** Tells of the page that is shown, unless it's the first, which was asked for. */
export function tellPage(): void {
  const { pathname } = location;
  if (shown && shown !== pathname) tellVisit(pathname);
  shown = pathname;
}
