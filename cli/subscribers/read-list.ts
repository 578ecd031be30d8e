import * as v from "valibot";
import { emailAddress } from "#contracts/text.ts";
import { findMailbox, readAddress } from "#mail/mailbox-key.ts";
import { isDay, parseMoment } from "#newsletter/calendar-date.ts";
import type { ImportedSubscriber } from "#newsletter/import-subscribers.ts";
import { type FileRecord, readRecords } from "#operator/records.ts";
import { CommandError, type Problem, problemsError } from "../command-error.ts";
import { stateInName } from "./list-files.ts";
import {
  addressColumns,
  endings,
  type ListedState,
  type ListFormat,
  listedStates,
  listFormats,
  type Meaning,
  plainFormat,
  recognise,
} from "./list-formats.ts";

export const consentTextMaxLength = 5_000;
const consentPageMaxLength = 500;
const consentAddressMaxLength = 100;

type ColumnMap = {
  format: ListFormat;
  /** Each column of the file with its meaning; null where it is skipped. */
  columns: { name: string; meaning: Meaning | null }[];
  /** What each word of the state column says. */
  states: Map<string, ListedState | "times">;
  /** What rows are where the file doesn't say. */
  unsaid: ListedState | "times";
  /** The words that the state column of this file holds, once its rows are read; null for one that says nothing here. */
  found: Map<string, ListedState | "times" | null>;
  /** Whether `5/1/2022` is in May or in January; for programs that write dates as numbers. */
  dates?: DateOrder;
};

export const dateOrders = ["month-first", "day-first"] as const;
type DateOrder = (typeof dateOrders)[number];

/** What the operator says that columns are, by their name; null where one is to be skipped. */
export type GivenColumns = ReadonlyMap<string, Meaning | null>;

export type OpenedList = { file: string; rows: Iterable<FileRecord | Problem>; map: ColumnMap };

/** What the operator says of a list. */
export type ListOptions = {
  from?: string;
  state?: ListedState;
  dates?: DateOrder;
  column?: GivenColumns;
};

/** Recognises a file and its dates; ends the command where either isn't possible. */
export function openList(file: { name: string; text: string }, options: ListOptions): OpenedList {
  const { names, rows } = readRecords(file);
  if (names.length === 0) {
    const problems = [...rows].flatMap((row) => ("fields" in row ? [] : row));
    throw problemsError(problems, "Nothing was imported:");
  }
  const state = options.state ?? stateInName(file.name);
  const map = mapColumns(names, { from: options.from, state, given: options.column });
  if (map === null) {
    const shown = JSON.stringify(names).slice(1, -1).slice(0, 300);
    throw new CommandError(
      `${file.name}:1: there is no column of email addresses, such as email, among ${shown}. Call the column email, or begin a bare list with a line that says email.`,
      { columns: Object.fromEntries(names.map((name) => [name, null])) },
    );
  }
  // Only a spreadsheet writes such dates, and the rows are then read once more for it.
  const order =
    options.dates ??
    (/\d[/-]\d{1,2}[/-]\d{4}/.test(file.text) ? findDateOrder(readRecords(file).rows, map) : null);
  if (order !== null && typeof order === "object") {
    throw new CommandError(
      `${file.name}: ${order.unclear} can be read in two ways. Say which comes first: --dates month-first or --dates day-first.`,
      { columns: columnsOf(map) },
    );
  }
  return { file: file.name, rows, map: { ...map, ...(order ? { dates: order } : {}) } };
}

export function columnsOf({ columns }: ColumnMap) {
  return Object.fromEntries(columns.map(({ name, meaning }) => [name, meaning]));
}

/**
 * Recognises whose export a file is by its columns, or takes the program named; `given` says otherwise of single columns.
 * Null where no column holds addresses.
 */
function mapColumns(
  names: string[],
  { from, state, given }: { from?: string; state?: ListedState; given?: GivenColumns },
): ColumnMap | null {
  const format =
    from === "plain"
      ? plainFormat
      : (from && listFormats[from]) || recognise(new Set(names.map(columnName)));
  const meaningOf = new Map(
    [{ email: addressColumns }, endings, format.columns]
      .flatMap(Object.entries<string>)
      .flatMap(([meaning, columns]) =>
        columns.split("|").map((name) => [name, meaning as Meaning] as const),
      ),
  );
  const isGiven = new Set(given?.values());
  const taken = new Set<Meaning>();
  const columns = names.map((name) => {
    const own = given?.get(name);
    const found = meaningOf.get(columnName(name)) ?? null;
    const meaning = own === undefined ? (isGiven.has(found) ? null : found) : own;
    // Of two columns with one meaning, the first counts; of leaving and bouncing, each.
    if (meaning === null || (taken.has(meaning) && !(meaning in endings))) {
      return { name, meaning: null };
    }
    taken.add(meaning);
    return { name, meaning };
  });
  if (!taken.has("email")) return null;
  const unsaid = state ?? unsaidIn(format, taken);
  // The words that any list uses, and over them the program's own.
  const states = new Map(
    [plainFormat, format].flatMap((known) =>
      ([...listedStates, "unsaid"] as const).flatMap((said) =>
        (known.states?.[said]?.split(" ") ?? []).map(
          (word) => [word, said === "unsaid" ? unsaid : said] as const,
        ),
      ),
    ),
  );
  return { format, columns, states, unsaid, found: new Map() };
}

/** Columns that are skipped and whose name sounds as if they could say who has left. */
export function skippedEndings({ columns }: ColumnMap): string[] {
  return columns
    .filter(
      ({ name, meaning }) =>
        meaning === null &&
        !/reason|campaign|_by$|_code$|_answer$/i.test(name) &&
        /unsub|opt.?(?:ed.?)?out|bounce|complain|cancel|suppress|block|black.?list|disabled|deleted|status|state|consent|^subscribed$|accepts|newsletter|opt(?:ed)?.?in$|^active$|^enabled$|\bleft\b|d[ée]s(?:abonn|inscri)|abmelde|abgemeldet/i.test(
          name,
        ),
    )
    .map(({ name }) => name);
}

const numericDate =
  /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:,? (\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([ap])\.?m\.?)?)?$/i;

/** The order of the dates in a list that a spreadsheet has saved, or the first date that could be read in two ways. */
function findDateOrder(rows: Iterable<FileRecord | Problem>, { columns }: ColumnMap) {
  let unclear: string | null = null;
  const times = columns.filter(({ meaning }) => meaning?.endsWith("_at"));
  for (const row of rows) {
    for (const { name } of times) {
      const cell = "fields" in row ? row.fields[name] : null;
      const [, first, sign, second] =
        numericDate.exec(typeof cell === "string" ? cell.trim() : "") ?? [];
      // Who writes dots writes the day first.
      if (first === undefined || sign === ".") continue;
      if (Number(first) > 12) return "day-first";
      if (Number(second) > 12) return "month-first";
      if (first !== second) unclear ??= `${name} ${cell}`;
    }
  }
  return unclear === null ? null : { unclear };
}

/** A file with a time of leaving holds those who left, also where the time is blank; likewise of bounces. */
function unsaidIn(format: ListFormat, taken: Set<Meaning>): ColumnMap["unsaid"] {
  if (format.unsaid !== "times" || format === plainFormat) return format.unsaid;
  if (taken.has("unsubscribed_at")) return "unsubscribed";
  return taken.has("bounced_at") ? "bounced" : "times";
}

/**
 * Reads the rows of a list. Of two rows of one mailbox the one counts that was confirmed, bounced or left last; at the
 * same time, the one that keeps mail away. `repeated` counts rows whose mailbox another row has too.
 */
export function readList(files: OpenedList[], given: { consent: string; now: Date }) {
  const listed = new Map<string, ListedSubscriber>();
  const states = { confirmed: 0, unconfirmed: 0, bounced: 0, unsubscribed: 0 };
  const problems: Problem[] = [];
  let repeated = 0;
  for (const { file, rows, map } of files) {
    for (const row of rows) {
      const read = "fields" in row ? readRow(row.fields, map, given) : row.message;
      if (typeof read === "string") {
        problems.push({ file, line: row.line, message: read });
        continue;
      }
      const earlier = listed.get(read.mailbox);
      if (earlier) repeated += 1;
      if (!earlier || decidesAgainst(read, earlier)) listed.set(read.mailbox, read);
    }
  }
  for (const { state } of listed.values()) states[state] += 1;
  const subscribers = [...listed.values()].map(({ subscriber }) => subscriber);
  return { subscribers, states, repeated, problems };
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

/** Whether a cell such as `unsubscribed` says yes or no; undefined where it says something else. */
function flagOf(value: unknown): boolean | undefined {
  if (/^(?:true|yes|y|1|x)$/i.test(String(value ?? "").trim())) return true;
  return /^(?:false|no|n|0)$/i.test(String(value ?? "").trim()) ? false : undefined;
}

/** `ana@example.com` for `Ana Reyes <ana@example.com>` and `mailto:ana@example.com`. */
function bareAddress(cell: unknown): unknown {
  if (typeof cell !== "string") return cell ?? "";
  return cell.replace(/^.*<([^<>]+)>\s*$/s, "$1").replace(/^\s*mailto:/i, "");
}

/** The subscriber that a row names, or what is wrong with the row. `consent` is the wording of rows without their own. */
function readRow(
  fields: Record<string, unknown>,
  map: ColumnMap,
  { consent, now }: { consent: string; now: Date },
): ListedSubscriber | string {
  const cells: Partial<Record<Meaning, unknown>> = {};
  const names: Partial<Record<Meaning, string>> = {};
  const times: Times = {};
  const ended = new Set<Meaning>();
  for (const { name, meaning } of map.columns) {
    if (meaning === null) continue;
    const value = fields[name];
    if (typeof value === "string" && value.includes("\uFFFD")) {
      return `${name} is not UTF-8: save the list as "CSV UTF-8".`;
    }
    cells[meaning] = value;
    names[meaning] = name;
    const flag = meaning in endings ? flagOf(value) : undefined;
    if (flag === true) ended.add(meaning);
    if (!meaning.endsWith("_at") || flag !== undefined) continue;
    const time = readTime(value, map);
    if (time === undefined) {
      return `${name} is not a time; write it as 2026-11-21T14:05:00Z.`;
    }
    if (time !== null) ended.add(meaning);
    times[meaning] = [times[meaning] ?? "", time ?? ""].toSorted().at(-1) || null;
  }
  const email = v.safeParse(emailAddress("email"), bareAddress(cells.email));
  if (!email.success) return email.issues[0].message;
  const address = readAddress(email.output);
  const mailbox = address === null ? null : findMailbox(address);
  if (address === null || mailbox === null) return "email is not a valid email address.";

  const word = plain(String(cells.state ?? ""));
  const known = map.states.get(word);
  const isOpen = names.state === undefined || map.format === plainFormat;
  const said = known ?? (isOpen ? map.unsaid : undefined);
  if (said === undefined) return stateFault(names.state ?? "", word, map);
  if (word !== "") map.found.set(word, known ?? null);
  const state = stateOf(said, times, ended);

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
function stateOf(said: ListedState | "times", times: Times, ended: Set<Meaning>): ListedState {
  if (said === "unsubscribed" || ended.has("unsubscribed_at")) return "unsubscribed";
  if (said === "bounced" || ended.has("bounced_at")) return "bounced";
  if (said !== "times") return said;
  return times.confirmed_at ? "confirmed" : "unconfirmed";
}

function stateFault(column: string, word: string, { format }: ColumnMap): string {
  return word === ""
    ? `${column} is blank, so that nobody knows whether mail is wanted.`
    : `${column} "${word.slice(0, 40)}" is not a state that ${format.name} is known to write. --from plain reads a list of your own.`;
}

/**
 * ISO 8601 in UTC, null where nothing is given, undefined where it is no time. A time without a zone is read as UTC, which
 * is what most programs mean by it: a row that is refused for its hours would lose who has left.
 */
function readTime(value: unknown, { dates }: ColumnMap): string | null | undefined {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value !== "string") return undefined;
  const text = isoTime(value.trim(), dates);
  return parseMoment(isDay(text) ? `${text} 00:00` : text)?.at.toISOString();
}

/** `2022-05-01 10:00:00` for `5/1/2022 10:00` and `May 1, 2022`, as spreadsheets save them; other text as it is. */
function isoTime(text: string, dates: DateOrder = "month-first"): string {
  if (/^[a-z]{3,9}\.? \d{1,2},? \d{4}$/i.test(text)) {
    const day = new Date(`${text} UTC`);
    return Number.isNaN(day.getTime()) ? text : day.toISOString();
  }
  const [, first = "", sign, second = "", year, hour, minute, secondOfTime = "00", half] =
    numericDate.exec(text) ?? [];
  if (year === undefined) return text.replace(/^(\d{4})\/(\d{1,2})\/(\d{1,2})/, isoDay);
  const isDayFirst = sign === "." || dates === "day-first";
  const day = isDayFirst ? isoDay("", year, second, first) : isoDay("", year, first, second);
  if (hour === undefined) return day;
  const hours = half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hour);
  return `${day} ${String(hours).padStart(2, "0")}:${minute}:${secondOfTime}`;
}

function isoDay(_: string, year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
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
