import { visitsPath } from "#contracts/ports.ts";

/** Counts what the server can't see. Some browsers have no beacons. */
export function tellVisit(what: string): void {
  navigator.sendBeacon?.(`${visitsPath}?${what}`);
}
