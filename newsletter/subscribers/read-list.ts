import { setImmediate as nextRound } from "node:timers/promises";
import { startOfTorontoDay } from "#content/toronto-time.ts";
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
import { consentTextMaxLength } from "./subscribe.ts";
import type { ListedState } from "./subscriber-states.ts";

const listMaxBytes = 50_000_000;

type DateOrder = "month-first" | "day-first";

export type ListOptions = {
  columns?: Columns;
  /** For rows where the list doesn't say it. */
  state?: ListedState;
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
  /** The list doesn't say whether they agreed. */
  isUnsaid?: boolean;
  /** The list lacks the end's time, so the import's is used. */
  isEndUndated?: boolean;
  consentEndsAt?: string | null;
};

type LineProblem = { line: number; message: string; words: string };

type ReadList =
  | {
      ok: true;
      said: string[];
      columns: Columns;
      subscribers: ListedSubscriber[];
      states: Record<ListedState, number>;
      /** How many the list says nothing of, and `state` decides. */
      unsaid: number;
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

/** Of two rows of one mailbox the later counts, and then the one that stops mail. */
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
  const rows: (CsvRow | LineProblem)[] = [];
  for (const row of parseCsv(decoded.text, separator)) {
    rows.push(row);
    if (rows.length % 500 === 0) await nextRound();
  }
  const [first] = rows;
  if (!first) return refuse("The file is empty.");
  if ("message" in first) return refuse(`Line ${first.line}: ${first.message}`);
  // A first line with an address in it is a person's, and the list has no names of columns.
  const addressAt = first.cells.findIndex((cell) => addressIn(cell) !== null);
  if (addressAt < 0) rows.shift();
  const names = first.cells.map(
    (cell, at) =>
      (addressAt < 0 && cell.replace(/\s+/g, " ").trim()) ||
      (at === addressAt ? "Email" : `Column ${at + 1}`),
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
  const dates = findDateOrder(rows, times);
  if (typeof dates === "object") {
    return refuse(
      `“${dates.unclear}” is a date that can be read in two ways. Write it as 2026-11-21, or leave its column out.`,
      columns,
    );
  }

  const found = new Map<string, Listed>();
  const problems: LineProblem[] = [];
  const unknownWords = new Set<string>();
  const list = { names, meaningOf, dates, unknownWords, now: now.toISOString() };
  const reading = { ...list, unsaid: unsaidIn(names), otherwise: options.state };
  let repeated = 0;
  for (const [index, row] of rows.entries()) {
    if (index % 500 === 0) await nextRound();
    const read = "message" in row ? row.message : readRow(row.cells, reading);
    if (typeof read === "string") {
      const words = "words" in row ? row.words : row.cells.join(separator);
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
  const unsaid = subscribers.filter(({ isUnsaid }) => isUnsaid).length;
  return { ok: true, said, columns, subscribers, states, unsaid, repeated, problems };
}

const numericDate =
  /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:,? (\d{1,2})(:\d\d(?::\d\d)?)(?: ?([ap])\.?m\.?)?)?$/i;

function findDateOrder(
  rows: (CsvRow | object)[],
  times: number[],
): DateOrder | { unclear: string } {
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
  otherwise: ListedState | undefined;
  unknownWords: Set<string>;
  now: string;
};

function readRow(cells: string[], list: Reading): Listed | string {
  const { names, meaningOf, dates, now } = list;
  if (cells.length !== names.length) {
    return `This line has ${cells.length} cells; the first line has ${names.length}.`;
  }
  const texts: Partial<Record<Meaning, string>> = {};
  const times: Partial<Record<Meaning, string>> = {};
  const ended = new Set<Meaning>();
  for (const [at, meaning] of meaningOf.entries()) {
    const cell = unguardFormula(cells[at] ?? "").trim();
    if (!meaning || cell === "") continue;
    const flag = endings.has(meaning) ? flagOf(cell) : undefined;
    if (!meaning.endsWith("_at")) texts[meaning] = cell;
    else if (flag === undefined) {
      const time = readTime(cell, dates);
      if (!time)
        return `“${shortened(cell)}” in ${names[at]} is no time. Write it as 2026-11-21T14:05:00Z.`;
      if (time > (times[meaning] ?? "")) times[meaning] = time;
    }
    if (flag !== false) ended.add(meaning);
  }
  const address = addressIn(texts.email ?? "");
  const mailbox = address && findMailbox(address);
  if (!address || !mailbox) return "There is no email address that mail can be sent to.";
  const consentText = texts.consent_text ?? "";
  if (consentText.length > consentTextMaxLength) {
    return `The wording agreed to is longer than ${consentTextMaxLength} characters.`;
  }

  const word = texts.state?.toLowerCase() ?? "yes";
  const said = stateOfWord.get(word);
  if (said === undefined) list.unknownWords.add(word);
  const hint = list.unsaid ?? (times.confirmed_at ? "confirmed" : undefined);
  const hasLeft = said === "unsubscribed" || ended.has("unsubscribed_at");
  const hasBounced = said === "bounced" || ended.has("bounced_at");
  const isUnsaid = said === "unsaid" && !hint && !hasLeft && !hasBounced;
  const known = said === "unsaid" ? (hint ?? list.otherwise) : said;
  const state = hasLeft ? "unsubscribed" : hasBounced ? "bounced" : (known ?? "unconfirmed");
  const subscribedAt = times.subscribed_at ?? times.confirmed_at ?? now;
  const wasMailed = state === "confirmed" || state === "bounced";
  const endedAt = state === "unsubscribed" ? times.unsubscribed_at : times.bounced_at;
  const end = endedAt ?? now;
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
      isUnsaid,
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
function addressIn(cell: string): string | null {
  const bare = unguardFormula(cell).replace(/^.*<([^<>]+)>\s*$/s, "$1");
  return readAddress(bare.replace(/^\s*mailto:/i, "").trim());
}

/** ISO 8601 in UTC; undefined if malformed. A day is Toronto's; a time without a zone is UTC. */
function readTime(cell: string, dates: DateOrder): string | undefined {
  if (isDay(cell)) return startOfTorontoDay(cell);
  if (/^[a-z]{3,9} \d{1,2}, \d{4}$/i.test(cell)) {
    const day = new Date(`${cell} UTC`);
    const isReal = !Number.isNaN(day.getTime());
    return isReal ? startOfTorontoDay(day.toISOString().slice(0, 10)) : undefined;
  }
  const [, first, sign, second, year, hour, minutes = ":00", half] = numericDate.exec(cell) ?? [];
  if (year === undefined) return parseMoment(cell)?.at.toISOString();
  const isDayFirst = sign === "." || dates === "day-first";
  const [month = "", day = ""] = isDayFirst ? [second, first] : [first, second];
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  if (!isDay(date)) return undefined;
  if (hour === undefined) return startOfTorontoDay(date);
  const hours = half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : hour;
  return parseMoment(`${date} ${hours}${minutes}`)?.at.toISOString();
}

export const meanings = {
  email: "address",
  state: "state",
  subscribed_at: "signed up at",
  confirmed_at: "confirmed at",
  unsubscribed_at: "left at",
  bounced_at: "bounced at",
  consent_text: "wording agreed to",
  consent_page: "page of the sign-up",
  consent_address: "network address of the sign-up",
  consent_ends_at: "end of an implied consent",
};
export type Meaning = keyof typeof meanings;

export function isMeaning(text: unknown): text is Meaning {
  return typeof text === "string" && Object.hasOwn(meanings, text);
}

export type Columns = Record<string, Meaning | null>;

/** From most to least permissive. Only confirmed subscribers get mail. */
export const listedStates = ["unconfirmed", "confirmed", "bounced", "unsubscribed"] as const;

/** Column names of Mailchimp, Ghost, Substack, Buttondown and others. The first match wins. */
const columnNames: Record<Meaning, string> = {
  email: "email email_address e_mail e_mail_address",
  state:
    "state status subscribed_to_emails subscribed subscriber_status global_status subscriber_type type " +
    "opted_in marketing_consent accepts_email_marketing",
  subscribed_at:
    "subscribed_at optin_time created_at creation_date subscription_date start_date added_time",
  confirmed_at: "confirmed_at confirm_time",
  unsubscribed_at:
    "unsubscribed_at unsub_time unsubscription_date unsubscribed unsubscribe_date email_disabled opted_out opt_out optout " +
    "left_at deleted_at unsubscribed_from_all_email email_blacklisted blacklisted confirmed_opt_out_date hasoptedoutofemail",
  bounced_at: "bounced_at clean_time undeliverability_date bounced isemailbounced",
  consent_text: "consent_text",
  consent_page: "consent_page referrer_url",
  consent_address: "consent_address optin_ip ip_address",
  consent_ends_at: "consent_ends_at",
};

/** Several columns may say who gets no mail, and all of them count. */
const endings = new Set<Meaning>(["unsubscribed_at", "bounced_at"]);

/** `unsaid`: neither confirmed nor left. */
const stateWords: Record<ListedState | "unsaid", string> = {
  unsaid: "subscribed active enabled yes true 1",
  confirmed: "confirmed regular premium trialed unpaid gifted churning churned past_due",
  unconfirmed: "unconfirmed pending inactive unactivated paused",
  bounced: "bounced cleaned invalid undeliverable",
  unsubscribed:
    "unsubscribed left cancelled canceled complained spam spammy blocked blocklisted removed deleted disabled " +
    "suppressed optout opted_out no false 0",
};
const stateOfWord = new Map(
  Object.entries(stateWords).flatMap(([state, words]) =>
    words.split(" ").map((word) => [word, state as ListedState | "unsaid"] as const),
  ),
);

function findColumns(names: string[], given: Columns): Columns {
  const taken = new Set(Object.values(given));
  const meanings = new Map<string, Meaning>();
  for (const [meaning, known] of Object.entries(columnNames) as [Meaning, string][]) {
    if (taken.has(meaning)) continue;
    const present = known
      .split(" ")
      .flatMap((one) => names.find((name) => plain(name) === one) ?? []);
    const free = present.filter((name) => !Object.hasOwn(given, name));
    for (const name of endings.has(meaning) ? free : free.slice(0, 1)) meanings.set(name, meaning);
  }
  const columns = names.map((name) => [name, meanings.get(name) ?? null] as const);
  return { ...Object.fromEntries(columns), ...given };
}

/** Mailchimp's files of the unsubscribed and the cleaned leave some times blank. */
function unsaidIn(names: string[]): ListedState | null {
  const known = names.map(plain);
  if (known.includes("unsub_time")) return "unsubscribed";
  return known.includes("clean_time") ? "bounced" : null;
}

function describeColumns(columns: Columns, unknownWords: string[]): string[] {
  const names = Object.keys(columns);
  const leftOut = names.filter((name) => columns[name] === null);
  const taken = names.flatMap((name) => {
    const meaning = columns[name];
    return meaning ? `“${shortened(name)}” (${meanings[meaning]})` : [];
  });
  return [
    `Taken: ${taken.join(", ")}.`,
    leftOut.length > 0 &&
      `Left out: ${quoted(leftOut)}. If one of these says who has left, say so: nobody is taken off for it now.`,
    unknownWords.length > 0 &&
      `What ${quoted(unknownWords.slice(0, 10))} mean isn’t known: these people count as not confirmed, and get no issue.`,
  ].filter((sentence) => sentence !== false);
}

function quoted(words: string[]): string {
  return words.map((word) => `“${shortened(word)}”`).join(", ");
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** `email_address` for `Email Address`. */
function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}
