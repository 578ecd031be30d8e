import { isPublishDate } from "#newsletter/issues.ts";

// A day, or a time with its offset from UTC; PostgreSQL writes `+00`, Go and Ruby a blank before the offset and a zone
// after it (`2024-03-01 09:30:00.123 +0000 UTC`).
const timeShape =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?(?: (?:UTC|GMT|[+-]\d\d\d\d))?)?$/;

/**
 * ISO 8601 in UTC, null where nothing is given, undefined where it is no time. A bare day begins in UTC. A time without
 * an offset could be anybody's: it's none, unless `zoneless` names programs that write UTC without saying so.
 */
export function readListedTime(
  value: unknown,
  { zoneless }: { zoneless: "refused" | "utc" },
): string | null | undefined {
  if (value === null || value === undefined || value === "") return null;
  const match = typeof value === "string" ? timeShape.exec(value.trim()) : null;
  const [, day = "", clock, zone] = match ?? [];
  if (!isPublishDate(day)) return undefined;
  if (clock !== undefined && zone === undefined && zoneless === "refused") return undefined;
  const offset = zone === undefined || /^(?:Z|UTC|GMT)$/.test(zone) ? "Z" : withMinutes(zone);
  // More digits than milliseconds are cut off.
  const time = new Date(`${day}T${(clock ?? "00:00").replace(/(\.\d{3})\d+$/, "$1")}${offset}`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** `+00` and `+0000` as `+00:00`. */
function withMinutes(offset: string): string {
  return `${offset.slice(0, 3)}:${offset.slice(3).replace(":", "") || "00"}`;
}
