import * as v from "valibot";
import { emailAddress } from "#contracts/text.ts";
import { findMailbox, readAddress } from "#mail/mailbox-key.ts";
import type { ImportedSubscriber } from "#newsletter/import-subscribers.ts";
import { isPublishDate } from "#newsletter/issues.ts";
import type { Problem } from "../command-error.ts";
import type { FileRecord } from "../records.ts";
import {
  type ListedState,
  type ListFormat,
  listedStates,
  listFormats,
  type Meaning,
  plainFormat,
} from "./list-formats.ts";

/** Longest wording of consent, in characters. */
export const consentTextMaxLength = 5_000;
const consentPageMaxLength = 500;
const consentAddressMaxLength = 100;

/** How the columns of one file are read. */
export type ColumnMap = {
  format: ListFormat;
  /** Each column of the file with its meaning; null where it is skipped. */
  columns: { name: string; meaning: Meaning | null }[];
  /** What each word of the state column says. */
  states: Map<string, ListedState | "times">;
  /** What rows are where the file doesn't say. */
  unsaid: ListedState | "times";
};

/** Recognises whose export a file is by its columns, or takes the program named. Null where no column holds addresses. */
export function mapColumns(
  names: string[],
  { from, state }: { from?: string; state?: ListedState },
): ColumnMap | null {
  const present = new Set(names.map(plain));
  const format =
    (from === undefined ? undefined : listFormats[from]) ??
    Object.values(listFormats).find(({ signatures }) =>
      signatures.some((columns) => columns.every((column) => present.has(column))),
    ) ??
    plainFormat;
  const meaningOf = new Map(
    (Object.keys(format.columns) as Meaning[]).flatMap((meaning) =>
      (format.columns[meaning] ?? []).map((name) => [name, meaning] as const),
    ),
  );
  const taken = new Set<Meaning>();
  const columns = names.map((name) => {
    const meaning = meaningOf.get(plain(name));
    // Of two columns with one meaning, the first counts.
    if (meaning === undefined || taken.has(meaning)) return { name, meaning: null };
    taken.add(meaning);
    return { name, meaning };
  });
  if (!taken.has("email")) return null;
  const unsaid = state ?? unsaidIn(format, taken);
  const states = new Map(
    ([...listedStates, "unsaid"] as const).flatMap((said) =>
      (format.states?.[said]?.split(" ") ?? []).map(
        (word) => [word, said === "unsaid" ? unsaid : said] as const,
      ),
    ),
  );
  return { format, columns, states, unsaid };
}

/** A file with a time of leaving holds those who left, also where the time is blank; likewise of bounces. */
function unsaidIn(format: ListFormat, taken: Set<Meaning>): ColumnMap["unsaid"] {
  if (format.unsaid !== "times" || format === plainFormat) return format.unsaid;
  if (taken.has("unsubscribed_at")) return "unsubscribed";
  return taken.has("bounced_at") ? "bounced" : "times";
}

export type List = {
  /** Every mailbox once, in the order of the file. */
  subscribers: ImportedSubscriber[];
  states: Record<ListedState, number>;
  /** Rows whose mailbox another row has too. */
  repeated: number;
  /** Lines that can't be imported, in their order. */
  problems: Problem[];
};

/**
 * Reads the rows of a list. Of two rows of one mailbox the one counts that was confirmed, bounced or left last; at the
 * same time, the one that keeps mail away.
 */
export function readList(
  { file, rows }: { file: string; rows: Iterable<FileRecord | Problem> },
  map: ColumnMap,
  given: { consent: string; now: Date },
): List {
  const listed = new Map<string, ListedSubscriber>();
  const list: List = {
    subscribers: [],
    states: { confirmed: 0, unconfirmed: 0, bounced: 0, unsubscribed: 0 },
    repeated: 0,
    problems: [],
  };
  for (const row of rows) {
    if (!("fields" in row)) {
      list.problems.push(row);
      continue;
    }
    const read = readRow(row.fields, map, given);
    if (typeof read === "string") {
      list.problems.push({ file, line: row.line, message: read });
      continue;
    }
    const earlier = listed.get(read.mailbox);
    if (earlier) list.repeated += 1;
    if (!earlier || decidesAgainst(read, earlier)) listed.set(read.mailbox, read);
  }
  for (const { state, subscriber } of listed.values()) {
    list.states[state] += 1;
    list.subscribers.push(subscriber);
  }
  return list;
}

type ListedSubscriber = { mailbox: string; state: ListedState; subscriber: ImportedSubscriber };

const byStrength: ListedState[] = ["unconfirmed", "confirmed", "bounced", "unsubscribed"];

function decidesAgainst(row: ListedSubscriber, earlier: ListedSubscriber): boolean {
  const at = decidedAt(row);
  const before = decidedAt(earlier);
  return at === before
    ? byStrength.indexOf(row.state) > byStrength.indexOf(earlier.state)
    : at > before;
}

function decidedAt({ subscriber }: ListedSubscriber): string {
  return subscriber.unsubscribedAt ?? subscriber.bouncedAt ?? subscriber.confirmedAt ?? "";
}

type Times = Partial<Record<Meaning, string | null>>;

const timeMeanings = ["subscribed_at", "confirmed_at", "unsubscribed_at", "bounced_at"] as const;

/** The subscriber that a row names, or what is wrong with the row. `consent` is the wording of rows without their own. */
function readRow(
  fields: Record<string, unknown>,
  map: ColumnMap,
  { consent, now }: { consent: string; now: Date },
): ListedSubscriber | string {
  const cells: Partial<Record<Meaning, unknown>> = {};
  const names: Partial<Record<Meaning, string>> = {};
  for (const { name, meaning } of map.columns) {
    if (meaning === null) continue;
    const value = fields[name];
    if (typeof value === "string" && value.includes("\uFFFD")) return `${name} is not UTF-8.`;
    cells[meaning] = value;
    names[meaning] = name;
  }
  const email = v.safeParse(emailAddress("email"), cells.email ?? "");
  if (!email.success) return email.issues[0].message;
  const address = readAddress(email.output);
  const mailbox = address === null ? null : findMailbox(address);
  if (address === null || mailbox === null) return "email is not a valid email address.";

  const times: Times = {};
  for (const meaning of timeMeanings) {
    // Other programs write UTC without saying so; a time of a plain list could be of any zone.
    const time = readTime(cells[meaning], { isZoneNeeded: map.format === plainFormat });
    if (time === undefined) {
      return `${names[meaning]} is not a time; write it as 2026-11-21T14:05:00Z.`;
    }
    times[meaning] = time;
  }
  const said =
    names.state === undefined ? map.unsaid : map.states.get(plain(String(cells.state ?? "")));
  if (said === undefined) return stateFault(names.state ?? "", cells.state, map);
  const state = stateOf(said, times);

  const consentText = readText(cells.consent_text) ?? consent;
  if (consentText.length > consentTextMaxLength) {
    return `consent_text is longer than ${consentTextMaxLength} characters.`;
  }
  const subscribedAt = times.subscribed_at ?? now.toISOString();
  const wasMailed = state === "confirmed" || state === "bounced";
  const endedAt = state === "unsubscribed" ? times.unsubscribed_at : times.bounced_at;
  const end = endedAt ?? now.toISOString();
  return {
    mailbox,
    state,
    subscriber: {
      email: address,
      consentText,
      consentPage: readText(cells.consent_page)?.slice(0, consentPageMaxLength) ?? null,
      consentAddress: readText(cells.consent_address)?.slice(0, consentAddressMaxLength) ?? null,
      subscribedAt,
      confirmedAt:
        state === "unconfirmed" ? null : (times.confirmed_at ?? (wasMailed ? subscribedAt : null)),
      unsubscribedAt: state === "unsubscribed" ? end : null,
      bouncedAt: state === "bounced" ? end : null,
      isEndUndated: (state === "unsubscribed" || state === "bounced") && !endedAt,
    },
  };
}

/** What keeps mail away wins over what would let it go out. */
function stateOf(said: ListedState | "times", times: Times): ListedState {
  if (said === "unsubscribed" || times.unsubscribed_at) return "unsubscribed";
  if (said === "bounced" || times.bounced_at) return "bounced";
  if (said !== "times") return said;
  return times.confirmed_at ? "confirmed" : "unconfirmed";
}

function stateFault(column: string, cell: unknown, { format }: ColumnMap): string {
  const word = plain(String(cell ?? ""));
  return word === ""
    ? `${column} is blank, so that nobody knows whether mail is wanted.`
    : `${column} "${word.slice(0, 40)}" is not a state that ${format.name} is known to write.`;
}

// A day, or a time with its offset from UTC; PostgreSQL writes `+00`, Go and Ruby a blank before the offset and a zone
// after it (`2024-03-01 09:30:00.123 +0000 UTC`).
const timeShape =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?(?: (?:UTC|GMT|[+-]\d\d\d\d))?)?$/;

/** ISO 8601 in UTC, null where nothing is given, undefined where it is no time. A bare day begins in UTC. */
function readTime(
  value: unknown,
  { isZoneNeeded }: { isZoneNeeded: boolean },
): string | null | undefined {
  if (value === null || value === undefined || value === "") return null;
  const match = typeof value === "string" ? timeShape.exec(value.trim()) : null;
  const [, day = "", clock, zone] = match ?? [];
  if (!isPublishDate(day)) return undefined;
  if (clock !== undefined && zone === undefined && isZoneNeeded) return undefined;
  const isUtc = zone === undefined || /^(?:Z|UTC|GMT)$/.test(zone);
  // `+00` and `+0000` as `+00:00`.
  const offset = isUtc ? "Z" : `${zone.slice(0, 3)}:${zone.slice(3).replace(":", "") || "00"}`;
  // Digits beyond milliseconds are cut off.
  const time = new Date(`${day}T${(clock ?? "00:00").replace(/(\.\d{3})\d+$/, "$1")}${offset}`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function readText(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

function plain(name: string): string {
  return name.trim().toLowerCase();
}
