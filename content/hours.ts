export const weekdays = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
] as const;

export type Weekday = (typeof weekdays)[number];

/** When the firm is open: the same hours on each of its days. Times are `HH:MM` in its own time zone. */
export type Hours = { days: readonly Weekday[]; opens: string; closes: string };

/** The firm's hours (specification, section 9). Everything that names them is made from this. */
export const hours: Hours = { days: weekdays.slice(0, 5), opens: "09:00", closes: "18:00" };

/** `09:00` as `9 AM`, `17:30` as `5:30 PM`. */
export function clockTime(time: string): string {
  const hour = Number(time.slice(0, 2));
  const minutes = time.endsWith(":00") ? "" : time.slice(2);
  return `${hour % 12 || 12}${minutes} ${hour < 12 ? "AM" : "PM"}`;
}

/** `Monday to Friday 9 AM to 6 PM EST`: the specification's words, for the contact card. */
export function openHours({ days, opens, closes }: Hours): string {
  return `${listDays(days)} ${clockTime(opens)} to ${clockTime(closes)} EST`;
}

/** `Monday to Friday 9 AM to 6 PM, Toronto time`: true in summer too, when Toronto is on EDT. */
export function torontoHours({ days, opens, closes }: Hours): string {
  return `${listDays(days)} ${clockTime(opens)} to ${clockTime(closes)}, Toronto time`;
}

/** `Closed Saturday and Sunday`; empty where every day is open. */
export function closedDays({ days }: Hours): string {
  const closed = weekdays.filter((day) => !days.includes(day));
  return closed.length > 0 ? `Closed ${listDays(closed)}` : "";
}

/** Three or more in a row as `Monday to Friday`, the others each by name. */
function listDays(days: readonly Weekday[]): string {
  const runs: Weekday[][] = [];
  for (const day of weekdays.filter((each) => days.includes(each))) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (last && weekdays.indexOf(last) === weekdays.indexOf(day) - 1) run?.push(day);
    else runs.push([day]);
  }
  const names = runs.flatMap((run) => (run.length > 2 ? [`${run[0]} to ${run.at(-1)}`] : run));
  return names.join(", ").replace(/, ([^,]*)$/, " and $1");
}
