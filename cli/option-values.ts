import { type Command, InvalidArgumentError } from "commander";
import { torontoMoment, torontoTime } from "#content/toronto-time.ts";
import { isDay } from "#newsletter/calendar-date.ts";
import type { HourRefusal } from "#operator/send-issue.ts";
import { CommandError } from "./command-error.ts";

/** The moment at which Toronto's clocks show `2026-11-30 07:30`. */
export function parseTorontoMoment(text: string): Date {
  const wanted = text.trim().replace(/[T\s]+/, " ");
  const found = torontoMoment(wanted);
  const shown = found && torontoTime(found);
  if (shown && shown !== wanted && /^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(wanted)) {
    throw new InvalidArgumentError(
      `Toronto's clocks skip ${wanted}: they go forward an hour that night. Choose ${shown}, for example.`,
    );
  }
  if (!found || shown !== wanted) {
    throw new InvalidArgumentError(
      'Give a time on Toronto\'s clocks as "YYYY-MM-DD HH:MM", for example "2026-11-30 07:30".',
    );
  }
  return found;
}

/** Why nothing can be planned for a moment. */
export function hourRefusal({ reason, at }: HourRefusal): CommandError {
  const when = torontoTime(at);
  return new CommandError(
    reason === "hour_is_over"
      ? `${when} is over in Toronto. Leave --at out for now.`
      : `${when} is more than a year ahead. Look at the year.`,
  );
}

/** A list shows at most `rows` of what there is. */
export function withLimit(command: Command, rows: number): Command {
  return command.option("--limit <n>", "show at most this many", countUpTo(10_000), rows);
}

export function countUpTo(max: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (!/^\d+$/.test(text) || count < 1 || count > max) {
      throw new InvalidArgumentError(`Give a whole number from 1 to ${max}.`);
    }
    return count;
  };
}

export function parseId(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(Number(text))) {
    throw new InvalidArgumentError("An id is a whole number, as the list shows it.");
  }
  return Number(text);
}

export function parseIds(text: string, ids: number[] = []): number[] {
  return [...ids, parseId(text)];
}

export function parseDay(text: string): string {
  if (!isDay(text)) {
    throw new InvalidArgumentError("Give a calendar date as YYYY-MM-DD, for example 2026-11-21.");
  }
  return text;
}
