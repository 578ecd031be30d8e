import { setImmediate as nextRound } from "node:timers/promises";
import { findMailbox, readAddress } from "#mail/mailbox-key.ts";
import {
  type CsvRow,
  decodeText,
  isDay,
  isNoText,
  parseCsv,
  parseMoment,
  separatorOf,
  unguardFormula,
} from "../text-files.ts";
import {
  type Columns,
  describeColumns,
  endings,
  findColumns,
  listedStates,
  type Meaning,
  quoted,
  saysMailed,
  shortened,
  stateOfWord,
  unsaidIn,
} from "./list-columns.ts";
import type { ListedState } from "./subscriber-states.ts";

const listMaxBytes = 50_000_000;
export const consentTextMaxLength = 5_000;

export const dateOrders = ["month-first", "day-first"] as const;
type DateOrder = (typeof dateOrders)[number];

export type ListOptions = {
  columns?: Columns;
  state?: ListedState;
  dates?: DateOrder;
};

/** Times are ISO 8601 in UTC with milliseconds. */
export type ListedSubscriber = {
  email: string;
  consentText: string;
  consentPage: string | null;
  consentAddress: string | null;
  subscribedAt: string;
  confirmedAt: string | null;
  unsubscribedAt: string | null;
  bouncedAt?: string | null;
  /** The list lacks the end's time, so the import's is used. */
  isEndUndated?: boolean;
  consentEndsAt?: string | null;
};

export type LineProblem = { line: number; message: string; words: string };

export type ReadList =
  | {
      ok: true;
      said: string[];
      columns: Columns;
      subscribers: ListedSubscriber[];
      states: Record<ListedState, number>;
      repeated: number;
      problems: LineProblem[];
    }
  | { ok: false; problem: string; columns: Columns };

const separators: Record<string, string> = {
  ",": "commas",
  ";": "semicolons",
  "\t": "tabs",
  "|": "bars",
};

/**
 * Reads a list in CSV. Of two rows of one mailbox the later counts, and then the one that stops
 * mail.
 */
export async function readList(bytes: Buffer, options: ListOptions, now: Date): Promise<ReadList> {
  const refuse = (problem: string, columns: Columns = {}) => {
    return { ok: false, problem, columns } as const;
  };
  if (bytes.length > listMaxBytes) {
    return refuse(`The list is larger than ${listMaxBytes / 1e6} MB.`);
  }
  const decoded = decodeText(bytes);
  if (!decoded) return refuse(`The file ${isNoText}`);
  const separator = separatorOf(decoded.text);
  const parsed = parseCsv(decoded.text, separator);
  const { value: heading } = parsed.next();
  const rows = [];
  for (const row of parsed) {
    rows.push(row);
    if (rows.length % 500 === 0) await nextRound();
  }
  if (!heading) return refuse("The file is empty.");
  if ("message" in heading) return refuse(`Line ${heading.line}: ${heading.message}`);
  const names = heading.cells.map(
    (cell, at) => cell.replace(/\s+/g, " ").trim() || `Column ${at + 1}`,
  );
  const columns = findColumns(names, options.columns ?? {});
  const unknown = Object.keys(options.columns ?? {}).find((name) => !names.includes(name));
  if (unknown !== undefined) return refuse(`There is no column “${unknown}”.`, columns);
  if (!Object.values(columns).includes("email")) {
    const shown = quoted(names.slice(0, 20));
    return refuse(`Which column has the email addresses? There are ${shown}.`, columns);
  }
  const meaningOf = names.map((name, at) => (names.indexOf(name) === at ? columns[name] : null));
  const times = meaningOf.flatMap((meaning, at) => (meaning?.endsWith("_at") ? at : []));
  const dates = options.dates ?? findDateOrder(rows, times);
  if (typeof dates === "object") {
    const { unclear } = dates;
    return refuse(`“${unclear}” is a date that can be read in two ways. Say which.`, columns);
  }

  const found = new Map<string, Listed>();
  const problems: LineProblem[] = [];
  const unknownWords = new Set<string>();
  const list = { names, meaningOf, dates, unknownWords, now: now.toISOString() };
  const reading = { ...list, unsaid: options.state ?? unsaidIn(names) };
  let repeated = 0;
  for (const [index, row] of rows.entries()) {
    if (index % 500 === 0) await nextRound();
    const cells = "cells" in row ? row.cells : [];
    const read =
      "message" in row
        ? row.message
        : cells.length === names.length
          ? readRow(cells, reading)
          : `This line has ${cells.length} cells; the heading line has ${names.length}.`;
    if (typeof read === "string") {
      const words = "words" in row ? row.words : cells.join(separator);
      problems.push({ line: row.line, message: read, words: shortened(words) });
      continue;
    }
    const earlier = found.get(read.mailbox);
    if (earlier) repeated += 1;
    if (!earlier || decidesAgainst(read, earlier)) found.set(read.mailbox, read);
  }
  const states = { confirmed: 0, unconfirmed: 0, bounced: 0, unsubscribed: 0 };
  for (const { state } of found.values()) states[state] += 1;
  const subscribers = [...found.values()].map(({ subscriber }) => subscriber);
  const said = [
    `Read as ${decoded.encoding.toUpperCase()}, with ${separators[separator] ?? `“${separator}”`} between the cells.`,
    ...describeColumns(columns, [...unknownWords]),
  ];
  return { ok: true, said, columns, subscribers, states, repeated, problems };
}

const numericDate =
  /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:,? (\d{1,2})(:\d\d(?::\d\d)?)(?: ?([ap])\.?m\.?)?)?$/i;

function findDateOrder(rows: (CsvRow | object)[], times: number[]) {
  let unclear: string | undefined;
  for (const row of rows) {
    for (const at of times) {
      const cell = "cells" in row ? (row.cells[at] ?? "").trim() : "";
      const [, first, sign, second] = numericDate.exec(cell) ?? [];
      // With dots, the day comes first.
      if (first === undefined || sign === ".") continue;
      if (Number(first) > 12) return "day-first";
      if (Number(second) > 12) return "month-first";
      if (first !== second) unclear ??= cell;
    }
  }
  return unclear === undefined ? "month-first" : { unclear };
}

type Listed = { mailbox: string; state: ListedState; subscriber: ListedSubscriber };

function decidesAgainst(row: Listed, earlier: Listed): boolean {
  const [at = "", before = ""] = [row, earlier].map(
    ({ subscriber }) =>
      subscriber.unsubscribedAt ?? subscriber.bouncedAt ?? subscriber.confirmedAt ?? "",
  );
  return at === before
    ? listedStates.indexOf(row.state) > listedStates.indexOf(earlier.state)
    : at > before;
}

type Reading = {
  names: string[];
  meaningOf: (Meaning | null | undefined)[];
  dates: DateOrder;
  unsaid: ListedState | null;
  unknownWords: Set<string>;
  now: string;
};

function readRow(cells: string[], list: Reading): Listed | string {
  const texts: Partial<Record<Meaning, string>> = {};
  const times: Partial<Record<Meaning, string>> = {};
  const ended = new Set<Meaning>();
  let isMailed = false;
  for (const [at, meaning] of list.meaningOf.entries()) {
    const cell = unguardFormula(cells[at] ?? "").trim();
    if (!meaning || cell === "") continue;
    const name = list.names[at] ?? "";
    const flag = flagOf(cell);
    if (saysMailed(name, flag)) isMailed = true;
    if (!meaning.endsWith("_at")) {
      texts[meaning] = cell;
      continue;
    }
    if (!endings.has(meaning) || flag === undefined) {
      const time = readTime(cell, list.dates);
      const example = "2026-11-21T14:05:00Z";
      if (!time) return `“${shortened(cell)}” in ${name} is no time. Write it as ${example}.`;
      if (time > (times[meaning] ?? "")) times[meaning] = time;
    }
    if (flag !== false) ended.add(meaning);
  }
  const address = readAddress(bareAddress(texts.email ?? ""));
  const mailbox = address && findMailbox(address);
  if (!address || !mailbox) return "There is no email address that mail can be sent to.";
  const consentText = texts.consent_text ?? "";
  if (consentText.length > consentTextMaxLength) {
    return `The wording agreed to is longer than ${consentTextMaxLength} characters.`;
  }

  const word = texts.state?.toLowerCase() ?? "yes";
  const said = stateOfWord.get(word);
  if (said === undefined) list.unknownWords.add(word);
  const unsaid = isMailed
    ? "confirmed"
    : (list.unsaid ?? (times.confirmed_at ? "confirmed" : null));
  const state =
    said === "unsubscribed" || ended.has("unsubscribed_at")
      ? "unsubscribed"
      : said === "bounced" || ended.has("bounced_at")
        ? "bounced"
        : ((said === "unsaid" ? unsaid : said) ?? "unconfirmed");
  const subscribedAt = times.subscribed_at ?? list.now;
  const wasMailed = state === "confirmed" || state === "bounced";
  const endedAt = state === "unsubscribed" ? times.unsubscribed_at : times.bounced_at;
  const end = endedAt ?? list.now;
  return {
    mailbox,
    state,
    subscriber: {
      email: address,
      consentText,
      consentPage: texts.consent_page?.slice(0, 500) ?? null,
      consentAddress: texts.consent_address?.slice(0, 100) ?? null,
      subscribedAt,
      confirmedAt:
        state === "unconfirmed" ? null : (times.confirmed_at ?? (wasMailed ? subscribedAt : null)),
      unsubscribedAt: state === "unsubscribed" ? end : null,
      bouncedAt: state === "bounced" ? end : null,
      isEndUndated: (state === "unsubscribed" || state === "bounced") && !endedAt,
      consentEndsAt: times.consent_ends_at ?? null,
    },
  };
}

/** Whether a cell such as `unsubscribed` says yes or no; undefined where it says something else. */
function flagOf(cell: string): boolean | undefined {
  if (/^(?:true|yes|y|1|x)$/i.test(cell)) return true;
  return /^(?:false|no|n|0)$/i.test(cell) ? false : undefined;
}

/** `ana@example.com` for `Ana Reyes <ana@example.com>`. */
function bareAddress(cell: string): string {
  return cell.replace(/^.*<([^<>]+)>\s*$/s, "$1").replace(/^\s*mailto:/i, "");
}

/** ISO 8601 in UTC; undefined if malformed. Without a zone, UTC. */
function readTime(cell: string, dates: DateOrder): string | undefined {
  if (/^[a-z]{3,9} \d{1,2}, \d{4}$/i.test(cell)) {
    const day = new Date(`${cell} UTC`);
    return Number.isNaN(day.getTime()) ? undefined : day.toISOString();
  }
  const [, first, sign, second, year, hour = "0", minutes = ":00", half] =
    numericDate.exec(cell) ?? [];
  if (year === undefined)
    return parseMoment(isDay(cell) ? `${cell} 00:00` : cell)?.at.toISOString();
  const isDayFirst = sign === "." || dates === "day-first";
  const [month = "", day = ""] = isDayFirst ? [second, first] : [first, second];
  const hours = half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : hour;
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return parseMoment(`${date} ${hours}${minutes}`)?.at.toISOString();
}
