import { visitsPath } from "#contracts/ports.ts";

let shown = "";

/** Counts what the server can't see: something that was opened without a request. Some browsers have no beacons. */
export function tellVisit(what: string): void {
  navigator.sendBeacon?.(`${visitsPath}?${what}`);
}

/** Counts the page that is shown, except the first, which the server has seen. */
export function tellPage(): void {
  const { pathname } = location;
  if (shown && shown !== pathname) tellVisit(pathname);
  shown = pathname;
}
