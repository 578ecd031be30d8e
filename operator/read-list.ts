import { setImmediate as nextRound } from "node:timers/promises";
import * as v from "valibot";
import { emailAddress } from "#contracts/text.ts";
import { findMailbox, readAddress } from "#mail/mailbox-key.ts";
import { isDay, parseMoment } from "#newsletter/calendar-date.ts";
import type { ImportedSubscriber } from "#newsletter/import-subscribers.ts";
import type { ListedState } from "#newsletter/subscriber-states.ts";
import type { Problem } from "#newsletter/text-files.ts";
import { type ListFile, stateInName } from "./list-files.ts";
import {
  endings,
  type ListFormat,
  listedStates,
  listFormats,
  type Meaning,
  names as peoplesNames,
  plainFormat,
  recognise,
} from "./list-formats.ts";
import { type FileRecord, readRecords } from "./records.ts";

export const consentTextMaxLength = 5_000;
const consentPageMaxLength = 500;
const consentAddressMaxLength = 100;
export const nameMaxLength = 100;
const tagsMaxLength = 500;

/** Whether `5/1/2022` is in May or in January. */
export const dateOrders = ["month-first", "day-first"] as const;
type DateOrder = (typeof dateOrders)[number];

export type ListOptions = {
  /** A key of `listFormats`, or "plain". */
  from?: string;
  /** The state of rows for which the file gives none. */
  state?: ListedState;
  dates?: DateOrder;
  /** Columns by their name; null for one to pass over. */
  columns?: Record<string, Meaning | null>;
};

export type Columns = Record<string, Meaning | null>;

export type ReadAs = {
  file: string;
  format: ListFormat;
  columns: { name: string; meaning: Meaning | null }[];
  /** Each word of the state column that was found; null for an unknown one. */
  words: Record<string, ListedState | "times" | null>;
  /** The state of rows for which the file gives none. */
  unsaid: ListedState | "times";
};

/** `plainMayHelp`: it may be a list of the operator's own that only looks like a program's. */
export type RowProblem = Problem & { plainMayHelp?: true };

/** Why a list can't be read before somebody says more about it. */
export type ListFault =
  | { reason: "unreadable"; problems: Problem[] }
  | { reason: "no_addresses"; file: string; columns: Columns }
  | { reason: "unclear_date"; file: string; date: string; columns: Columns }
  | { reason: "unknown_column"; column: string };

/** Something in a list that may say who has left, and wasn't understood. */
export type ListWarning =
  | { kind: "column_passed_over"; file: string; column: string }
  | { kind: "unknown_states"; file: string; words: string[] };

export type ReadList = {
  ok: true;
  lists: ReadAs[];
  warnings: ListWarning[];
  subscribers: ImportedSubscriber[];
  states: Record<ListedState, number>;
  repeated: number;
  problems: RowProblem[];
};

/**
 * Reads lists. Of two rows of one mailbox the one counts that was confirmed, bounced or left last; at the same time, the
 * one that keeps mail away. `consent` is the wording of rows without their own.
 */
export async function readLists(
  files: readonly ListFile[],
  options: ListOptions,
  given: { consent: string; now: Date },
): Promise<ReadList | ({ ok: false } & ListFault)> {
  const opened = files.map((file) => openList(file, options));
  const fault = opened.find((one) => !one.ok);
  if (fault && !fault.ok) return fault;
  const lists = opened.filter((one) => one.ok);
  const known = new Set(lists.flatMap(({ map }) => map.columns.map(({ name }) => name)));
  const unknown = Object.keys(options.columns ?? {}).find((name) => !known.has(name));
  if (unknown !== undefined) return { ok: false, reason: "unknown_column", column: unknown };

  const found = new Map<string, ListedSubscriber>();
  const problems: RowProblem[] = [];
  let repeated = 0;
  let rowsRead = 0;
  for (const { map, rows } of lists) {
    for (const row of rows) {
      rowsRead += 1;
      if (rowsRead % 500 === 0) await nextRound();
      const read = "fields" in row ? readRow(row.fields, map, given) : row;
      if ("message" in read) {
        problems.push({ ...read, file: map.file, line: row.line });
        continue;
      }
      const earlier = found.get(read.mailbox);
      if (earlier) repeated += 1;
      if (!earlier || decidesAgainst(read, earlier)) found.set(read.mailbox, read);
    }
  }
  const states = { confirmed: 0, unconfirmed: 0, bounced: 0, unsubscribed: 0 };
  for (const { state } of found.values()) states[state] += 1;
  const subscribers = [...found.values()].map(({ subscriber }) => subscriber);
  const read = lists.map(({ map }) => map);
  const warnings = read.flatMap(warningsOf);
  return { ok: true, lists: read, warnings, subscribers, states, repeated, problems };
}

type ColumnMap = ReadAs & {
  states: Map<string, ListedState | "times">;
  dates: DateOrder;
};

type OpenedList =
  | { ok: true; map: ColumnMap; rows: Iterable<FileRecord | Problem> }
  | ({ ok: false } & ListFault);

function openList(file: ListFile, options: ListOptions): OpenedList {
  const { names, rows } = readRecords(file);
  if (names.length === 0) {
    const problems = [...rows].flatMap((row) => ("fields" in row ? [] : row));
    return { ok: false, reason: "unreadable", problems };
  }
  const { from = "", state = stateInName(file.name) } = options;
  const format =
    from === "plain"
      ? plainFormat
      : (listFormats[from] ?? recognise(new Set(names.map(columnName))));
  const columns = mapColumns(names, format, options.columns ?? {});
  const taken = new Set(columns.map(({ meaning }) => meaning));
  if (!taken.has("email")) {
    return { ok: false, reason: "no_addresses", file: file.name, columns: asRecord(columns) };
  }
  const unsaid = state ?? unsaidIn(format, taken);
  const map = { file: file.name, format, columns, unsaid, words: {} };
  const read = { ...map, states: statesOf(format, unsaid) };
  // Only a spreadsheet writes such dates, and the rows are then read once more for it.
  const isNumeric = !options.dates && /\d[/-]\d{1,2}[/-]\d{4}/.test(file.text);
  const dates = isNumeric ? findDateOrder(readRecords(file).rows, columns) : options.dates;
  if (typeof dates !== "object") {
    return { ok: true, map: { ...read, dates: dates ?? "month-first" }, rows };
  }
  const { unclear: date } = dates;
  return { ok: false, reason: "unclear_date", file: file.name, date, columns: asRecord(columns) };
}

export function asRecord(columns: ReadAs["columns"]): Columns {
  return Object.fromEntries(columns.map(({ name, meaning }) => [name, meaning]));
}

function mapColumns(names: string[], format: ListFormat, given: Columns): ReadAs["columns"] {
  const known = new Map(
    [{ email: plainFormat.columns.email }, endings, peoplesNames, format.columns]
      .flatMap((columns) => Object.entries(columns))
      .flatMap(([meaning, columns = ""]) =>
        columns.split(" ").map((name) => [name, meaning as Meaning] as const),
      ),
  );
  const isGiven = new Set(Object.values(given));
  const taken = new Set<Meaning>();
  return names.map((name) => {
    const found = known.get(columnName(name)) ?? null;
    const meaning = Object.hasOwn(given, name)
      ? (given[name] ?? null)
      : isGiven.has(found)
        ? null
        : found;
    // The first column of a meaning counts, and every one that says who has left or bounced.
    if (meaning === null || (taken.has(meaning) && !(meaning in endings))) {
      return { name, meaning: null };
    }
    taken.add(meaning);
    return { name, meaning };
  });
}

/** A program's file with a time of leaving holds those who left, also where the time is blank; likewise of bounces. */
function unsaidIn(format: ListFormat, taken: Set<Meaning | null>): ListedState | "times" {
  if (format.unsaid !== "times" || format === plainFormat) return format.unsaid;
  if (taken.has("unsubscribed_at")) return "unsubscribed";
  return taken.has("bounced_at") ? "bounced" : "times";
}

/** The words that any list uses, and over them the program's own. */
function statesOf(format: ListFormat, unsaid: ListedState | "times") {
  return new Map(
    [plainFormat, format].flatMap(({ states = {} }) =>
      ([...listedStates, "unsaid"] as const).flatMap((said) =>
        (states[said]?.split(" ") ?? []).map(
          (word) => [word, said === "unsaid" ? unsaid : said] as const,
        ),
      ),
    ),
  );
}

function warningsOf(list: ReadAs): ListWarning[] {
  const { file, words } = list;
  const unknown = Object.keys(words).filter((word) => words[word] === null);
  const shown = unknown.slice(0, 10).map((word) => word.slice(0, 40));
  return [
    ...suspectColumns(list).map(
      (column) => ({ kind: "column_passed_over", file, column }) as const,
    ),
    ...(shown.length > 0 ? [{ kind: "unknown_states", file, words: shown } as const] : []),
  ];
}

/** The ignored columns whose name may mean that they say who has left. */
function suspectColumns({ columns }: ReadAs): string[] {
  const suspect =
    /unsub|opt.?(?:ed.?)?(?:out|in$)|bounce|complain|cancel|suppress|block|black.?list|disabled|deleted|status|state|consent|^subscribed$|accepts|newsletter|^active$|^enabled$|\bleft\b|d[ée]s(?:abonn|inscri)|abmelde|abgemeldet/i;
  const isAbout = /reason|campaign|_by$|_code$|_answer$/i;
  return columns
    .filter(({ name, meaning }) => !meaning && suspect.test(name) && !isAbout.test(name))
    .map(({ name }) => name);
}

const numericDate =
  /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:,? (\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([ap])\.?m\.?)?)?$/i;

/** The order of the dates in a list that a spreadsheet has saved, or the first date that can be read in two ways. */
function findDateOrder(rows: Iterable<FileRecord | Problem>, columns: ReadAs["columns"]) {
  let unclear: string | undefined;
  const times = columns.filter(({ meaning }) => meaning?.endsWith("_at"));
  for (const row of rows) {
    for (const { name } of times) {
      const cell = "fields" in row ? String(row.fields[name] ?? "").trim() : "";
      const [, first, sign, second] = numericDate.exec(cell) ?? [];
      // With dots, the day comes first.
      if (first === undefined || sign === ".") continue;
      if (Number(first) > 12) return "day-first";
      if (Number(second) > 12) return "month-first";
      if (first !== second) unclear ??= `${name} ${cell}`;
    }
  }
  return unclear === undefined ? undefined : { unclear };
}

type ListedSubscriber = { mailbox: string; state: ListedState; subscriber: ImportedSubscriber };

function decidesAgainst(row: ListedSubscriber, earlier: ListedSubscriber): boolean {
  const [at, before] = [row, earlier].map(
    ({ subscriber }) =>
      subscriber.unsubscribedAt ?? subscriber.bouncedAt ?? subscriber.confirmedAt ?? "",
  );
  return at === before
    ? listedStates.indexOf(row.state) > listedStates.indexOf(earlier.state)
    : String(at) > String(before);
}

/** Whether a cell such as `unsubscribed` says yes or no; undefined where it says something else. */
function flagOf(value: unknown): boolean | undefined {
  const text = String(value ?? "").trim();
  if (/^(?:true|yes|y|1|x)$/i.test(text)) return true;
  return /^(?:false|no|n|0)$/i.test(text) ? false : undefined;
}

/** `ana@example.com` for `Ana Reyes <ana@example.com>` and `mailto:ana@example.com`. */
function bareAddress(cell: unknown): unknown {
  if (typeof cell !== "string") return cell ?? "";
  return cell.replace(/^.*<([^<>]+)>\s*$/s, "$1").replace(/^\s*mailto:/i, "");
}

type Refused = Pick<RowProblem, "message" | "plainMayHelp">;

function readRow(
  fields: Record<string, unknown>,
  map: ColumnMap,
  { consent, now }: { consent: string; now: Date },
): ListedSubscriber | Refused {
  const cells: Partial<Record<Meaning, unknown>> = {};
  const times: Partial<Record<Meaning, string | null>> = {};
  const ended = new Set<Meaning>();
  for (const { name, meaning } of map.columns) {
    if (meaning === null) continue;
    const value = fields[name];
    if (typeof value === "string" && value.includes("\uFFFD")) {
      return { message: `${name} is not UTF-8: save the list as "CSV UTF-8".` };
    }
    cells[meaning] = value;
    const flag = meaning in endings ? flagOf(value) : undefined;
    if (flag === true) ended.add(meaning);
    if (!meaning.endsWith("_at") || flag !== undefined) continue;
    const time = readTime(value, map);
    if (time === undefined) {
      return { message: `${name} is not a time; write it as 2026-11-21T14:05:00Z.` };
    }
    if (time !== null) ended.add(meaning);
    times[meaning] = [times[meaning] ?? "", time ?? ""].toSorted().at(-1) || null;
  }
  const email = v.safeParse(emailAddress("email"), bareAddress(cells.email));
  if (!email.success) return { message: email.issues[0].message };
  const address = readAddress(email.output);
  const mailbox = address && findMailbox(address);
  if (!address || !mailbox) return { message: "email is not a valid email address." };

  const said = readState(cells.state, map);
  if (typeof said === "object") return said;
  const state = endOf(said, ended) ?? (said !== "times" ? said : stateByTimes(times.confirmed_at));
  const consentText = readText(cells.consent_text) ?? consent;
  if (consentText.length > consentTextMaxLength) {
    return { message: `consent_text is longer than ${consentTextMaxLength} characters.` };
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
      consentEndsAt: times.consent_ends_at ?? null,
      firstName: oneLine(cells.first_name).slice(0, nameMaxLength),
      lastName: oneLine(cells.last_name).slice(0, nameMaxLength),
      tags: tagsOf(oneLine(cells.tags)),
    },
  };
}

/**
 * Reads the state column. A word that isn't known may say that somebody has left: a program's file is refused that
 * row, and in a list of one's own it counts as not confirmed, so that nobody is mailed for it.
 */
function readState(cell: unknown, map: ColumnMap): ListedState | "times" | Refused {
  const { columns, format, states, unsaid, words } = map;
  const column = columns.find(({ meaning }) => meaning === "state")?.name;
  const word = plain(String(cell ?? ""));
  if (column === undefined || (word === "" && format === plainFormat)) return unsaid;
  const said = states.get(word);
  if (word === "") {
    return { message: `${column} is blank, so that nobody knows whether mail is wanted.` };
  }
  if (said === undefined && format !== plainFormat) {
    const message = `${column} "${word.slice(0, 40)}" is not a state that ${format.name} is known to write.`;
    return { message, plainMayHelp: true };
  }
  words[word] = said ?? null;
  return said ?? "unconfirmed";
}

/** Anything that keeps mail away wins over what would let it go out. */
function endOf(said: ListedState | "times", ended: Set<Meaning>): ListedState | null {
  if (said === "unsubscribed" || ended.has("unsubscribed_at")) return "unsubscribed";
  return said === "bounced" || ended.has("bounced_at") ? "bounced" : null;
}

function stateByTimes(confirmedAt: string | null | undefined): ListedState {
  return confirmedAt ? "confirmed" : "unconfirmed";
}

/**
 * ISO 8601 in UTC, null where nothing is given, undefined where it is no time. A time without a zone is read as UTC, which
 * is what most programs mean: a row that is refused for its hours would lose who has left.
 */
function readTime(value: unknown, { dates }: ColumnMap): string | null | undefined {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value !== "string") return undefined;
  const text = isoTime(value.trim(), dates);
  return parseMoment(isDay(text) ? `${text} 00:00` : text)?.at.toISOString();
}

/** `2022-05-01 10:00:00` for `5/1/2022 10:00` and `May 1, 2022`, as spreadsheets save them; other text as it is. */
function isoTime(text: string, dates: DateOrder): string {
  if (/^[a-z]{3,9}\.? \d{1,2},? \d{4}$/i.test(text)) {
    const day = new Date(`${text} UTC`);
    return Number.isNaN(day.getTime()) ? text : day.toISOString();
  }
  const [, first = "", sign, second = "", year, hour, minute, secondOfTime = "00", half] =
    numericDate.exec(text) ?? [];
  if (year === undefined) {
    return text.replace(/^(\d{4})\/(\d{1,2})\/(\d{1,2})/, (_, year, month, day) =>
      isoDay(year, month, day),
    );
  }
  const isDayFirst = sign === "." || dates === "day-first";
  const day = isDayFirst ? isoDay(year, second, first) : isoDay(year, first, second);
  if (hour === undefined) return day;
  const hours = half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hour);
  return `${day} ${String(hours).padStart(2, "0")}:${minute}:${secondOfTime}`;
}

function isoDay(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

function oneLine(value: unknown): string {
  return String(value ?? "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/** `VIP, Roofers` for Mailchimp's `"VIP","Roofers"`, and for `vip|roofers` of others. */
export function tagsOf(text: string): string {
  const tags = text.split(/[,;|]/).map((tag) => tag.replace(/^[\s"'[]+|[\s"'\]]+$/g, ""));
  return [...new Set(tags.filter(Boolean))].join(", ").slice(0, tagsMaxLength);
}

function readText(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

/** `email_address` for `Email Address`. */
function columnName(name: string): string {
  return plain(name).replace(/[\s-]+/g, "_");
}

function plain(name: string): string {
  return name.trim().toLowerCase();
}
