import { InvalidArgumentError } from "commander";
import { torontoTime } from "../terminal/toronto-time.ts";

const hourMs = 60 * 60 * 1000;

/** Toronto's clocks are four or five hours behind UTC. */
const offsetHours = [4, 5];

/** The moment at which Toronto's clocks show `2026-11-30 07:30`; of an hour that comes twice in autumn, the first. */
export function parseTorontoMoment(text: string): Date {
  const wanted = text.trim().replace(/[T\s]+/, " ");
  const asUtc = /^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(wanted)
    ? Date.parse(`${wanted.replace(" ", "T")}:00Z`)
    : Number.NaN;
  const found = Number.isNaN(asUtc)
    ? undefined
    : offsetHours
        .map((hours) => new Date(asUtc + hours * hourMs))
        .find((moment) => torontoTime(moment) === wanted);
  if (!found) {
    throw new InvalidArgumentError(
      'Give a time on Toronto\'s clocks as "YYYY-MM-DD HH:MM", for example "2026-11-30 07:30".',
    );
  }
  return found;
}
