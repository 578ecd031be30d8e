import { visitsPath } from "#contracts/ports.ts";

let shown = "";

/** Counts what the server can't see. Some browsers have no beacons. */
export function tellVisit(what: string): void {
  navigator.sendBeacon?.(`${visitsPath}?${what}`);
}

/** Counts each page after the first, which the server counts. */
export function tellPage(): void {
  const { pathname } = location;
  if (shown && shown !== pathname) tellVisit(pathname);
  shown = pathname;
}
