import { InvalidArgumentError } from "commander";
import { torontoMoment } from "#content/toronto-time.ts";
import { torontoTime } from "../terminal/toronto-time.ts";

/** The moment at which Toronto's clocks show `2026-11-30 07:30`. */
export function parseTorontoMoment(text: string): Date {
  const wanted = text.trim().replace(/[T\s]+/, " ");
  const found = torontoMoment(wanted);
  // An hour that is left out in spring is on no clock.
  if (!found || torontoTime(found) !== wanted) {
    throw new InvalidArgumentError(
      'Give a time on Toronto\'s clocks as "YYYY-MM-DD HH:MM", for example "2026-11-30 07:30".',
    );
  }
  return found;
}
