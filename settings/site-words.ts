import { isDeepStrictEqual } from "node:util";
import { type Kysely, sql } from "kysely";
import * as v from "valibot";
import { weekdays } from "#content/hours.ts";
import { sentences } from "#content/sentences.ts";
import type { SiteSettings } from "#content/site-settings.ts";
import { type Fact, siteFacts, type WordField } from "#content/site-words.ts";
import { multiLineText, singleLineText } from "#content/text.ts";
import { isPostgres } from "#db/database-handle.ts";
import {
  findPicture,
  picturePath,
  picturePathShape,
  pictureTypeOf,
  readPicture,
  removeUnshown,
  storePicture,
} from "#db/pictures.ts";
import { createRecurringLook, type LookReport } from "#db/recurring-work.ts";
import type { Database, Db } from "#db/tables.ts";

const facts = new Map(Object.entries<Fact>({ ...siteFacts, ...sentences }));

/** Uploaded, a portrait is a small JPEG: the desk has cut and shrunk it. */
const portraitMaxBytes = 300_000;

export type SiteWord = Omit<Fact, "refuse" | "usual"> & {
  name: string;
  /** The form's value now: an object of the fields, or a list of such with the id of each row. */
  value: unknown;
  /** When it was changed, as an ISO time; null where it has its usual words. It is its version too. */
  changedAt: string | null;
  fault: string | null;
};

/** Every fact and sentence that the owner can change, in the order of the pages. */
export async function listSiteWords(db: Db): Promise<SiteWord[]> {
  const stored = await readStored(db);
  return [...facts].map(([name, fact]) => {
    const { refuse: _, usual: _usual, ...form } = fact;
    const { read, changedAt = null } = stored.get(name) ?? {};
    const value = read?.ok ? read.value : usualOf(fact);
    return { ...form, name, value, changedAt, fault: read?.ok === false ? read.problem : null };
  });
}

/** Null, or the usual words, take a change back. `basedOn` is the `changedAt` of what was changed. */
export async function saveSiteWord(
  db: Kysely<Database>,
  { name, value: given, basedOn }: { name: string; value: unknown; basedOn: string | null },
): Promise<{ ok: true } | { ok: false; problem: string }> {
  const fact = facts.get(name);
  if (!fact) return { ok: false, problem: `There is no fact named “${name}”.` };
  const usual = usualOf(fact);
  const read = checkValue(fact, given ?? usual);
  if (!read.ok) return read;
  return await db.transaction().execute(async (trx) => {
    // A second window waits for the first, and then sees its change. SQLite is locked already.
    if (isPostgres(trx)) await sql`lock table site_words in share row exclusive mode`.execute(trx);
    const current = trx.selectFrom("site_words").select("changed_at").where("name", "=", name);
    const { changed_at: version = null } = (await current.executeTakeFirst()) ?? {};
    if (version !== basedOn) return { ok: false, problem: changedElsewhere };
    await trx.deleteFrom("site_words").where("name", "=", name).execute();
    if (!isDeepStrictEqual(read.value, usual)) {
      // Later than the last change, since it is the version too.
      const now = new Date(Math.max(Date.now(), Date.parse(basedOn ?? "1970") + 1));
      const value = JSON.stringify(await withStoredPortraits(trx, fact, read.value, now));
      const row = { name, value, changed_at: now.toISOString() };
      await trx.insertInto("site_words").values(row).execute();
    }
    if (hasPortraits(fact)) await removeUnshown(trx);
    return { ok: true };
  });
}

const changedElsewhere =
  "Another window has changed these words since. Copy yours, and load this page again.";

function hasPortraits({ fields }: Fact): boolean {
  return Object.values(fields).some(({ kind }) => kind === "portrait");
}

/** The rows with each new portrait stored, and without those that are gone. */
async function withStoredPortraits(trx: Db, fact: Fact, value: object, now: Date) {
  if (!hasPortraits(fact) || !Array.isArray(value)) return value;
  const rows: object[] = [];
  for (const { portrait, ...row } of value) {
    const bytes = bytesOf(portrait);
    const read = bytes && (await readPicture(bytes));
    if (read?.ok) await storePicture(trx, read.picture, now);
    const path = read?.ok ? picturePath(read.picture) : portrait;
    rows.push({ ...row, portrait: path && (await findPicture(trx, path)) ? path : "" });
  }
  return rows;
}

function bytesOf(portrait: string): Buffer | null {
  const [, base64] = /^data:[\w/]+;base64,(.*)$/.exec(portrait) ?? [];
  return base64 === undefined ? null : Buffer.from(base64, "base64");
}

/** The owner's changes by the fact's name; undefined if there are none. */
export async function readSiteWords(db: Db): Promise<SiteSettings["words"]> {
  const shown = [...(await readStored(db))].flatMap(([name, { read }]) => {
    const over = facts.get(name)?.over;
    return read.ok ? [[name, over === undefined ? read.value : { ...read.value, over }]] : [];
  });
  return shown.length > 0 ? Object.fromEntries(shown) : undefined;
}

/** A sentence for each stored change that is not shown, because it can't be read or breaks today's rules. */
export async function findWordFaults(db: Db): Promise<string[]> {
  return [...(await readStored(db))].flatMap(([name, { read }]) =>
    read.ok ? [] : [`The row “${name}” of site_words is left out: ${read.problem}`],
  );
}

/** Keeps the words of a running server's settings as the database has them. While it can't be read, they stay. */
export function watchSiteWords(
  db: Db,
  settings: SiteSettings,
  report: LookReport & { changed?: (names: string[]) => unknown },
) {
  let taken = settings.words;
  async function look(): Promise<void> {
    const words = await readSiteWords(db);
    if (isDeepStrictEqual(words, taken)) return;
    settings.words = words;
    await report.changed?.(Object.keys(words ?? {}));
    // Last, so that what could not be taken over is tried again.
    taken = words;
  }
  return createRecurringLook(look, report);
}

type ReadValue = { ok: true; value: object } | { ok: false; problem: string };

async function readStored(db: Db) {
  const columns = ["name", "value", "changed_at as changedAt"] as const;
  const rows = await db.selectFrom("site_words").select(columns).orderBy("name").execute();
  return new Map(
    rows.map(({ name, value, changedAt }) => [
      name,
      { changedAt, read: readStoredValue(name, value) },
    ]),
  );
}

function readStoredValue(name: string, text: string): ReadValue {
  const fact = facts.get(name);
  if (!fact) return { ok: false, problem: "There is no such fact." };
  try {
    return checkValue(fact, JSON.parse(text));
  } catch {
    return { ok: false, problem: "It isn't JSON." };
  }
}

/** The fields of a fact's usual words that its form has, and the ids of a list's rows. */
function usualOf({ fields, usual }: Fact): object {
  const pick = (row: object, names: string[]) =>
    Object.fromEntries(names.map((field) => [field, row[field as keyof object] ?? ""]));
  return Array.isArray(usual)
    ? usual.map((row) => pick(row, ["id", ...Object.keys(fields)]))
    : pick(usual, Object.keys(fields));
}

/** A fact's new value as it would be stored, or what is wrong with it. */
function checkValue(fact: Fact, given: unknown): ReadValue {
  const read = v.safeParse(schemaOf(fact), given);
  if (read.success) {
    const refusal = fact.refuse?.(read.output as never);
    return refusal ? { ok: false, problem: refusal } : { ok: true, value: read.output };
  }
  // `Question 2: Answer is longer than 600 characters.`
  const problems = read.issues.map(({ message, path }) => {
    const index = path?.[0]?.key;
    if (typeof index !== "number" || !fact.rows) return message;
    return `${fact.rows.names?.[index] ?? `${fact.rows.name} ${index + 1}`}: ${message}`;
  });
  return { ok: false, problem: problems.join(" ") };
}

function schemaOf({ label, fields, rows, usual }: Fact): v.GenericSchema<unknown, object> {
  const unreadable = `${label} can't be read.`;
  const schemas = Object.entries(fields).map(([field, form]) => [field, fieldSchema(form)]);
  const entries = Object.fromEntries(schemas);
  if (!rows) return v.object(entries, unreadable);
  const { min, max } = rows;
  const ids = (usual as { id: string }[]).map(({ id }) => id);
  // A new row has no id.
  const id = v.picklist(min === max ? ids : ["", ...ids], unreadable);
  const message = `${label} must have ${min === max ? min : `${min} to ${max}`} rows.`;
  return v.pipe(
    v.array(v.object({ ...entries, id }, unreadable), message),
    v.minLength(min, message),
    v.maxLength(max, message),
    v.check((all) => {
      const known = all.map((row) => row.id).filter(Boolean);
      return new Set(known).size === known.length;
    }, unreadable),
  );
}

function fieldSchema({ label, kind, max = 200, isOptional, placeholders = [] }: WordField) {
  if (kind === "time") {
    const message = `${label} must be a time between 00:00 and 23:59.`;
    return v.pipe(v.string(message), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, message));
  }
  if (kind === "days") {
    const message = `${label} must be days of the week, one at least.`;
    return v.pipe(
      v.array(v.picklist(weekdays, message), message),
      v.minLength(1, message),
      v.transform((days) => weekdays.filter((day) => days.includes(day))),
    );
  }
  if (kind === "portrait") {
    const message = `${label} must be a picture of at most ${portraitMaxBytes / 1000} KB.`;
    const isPortrait = (text: string) => {
      const bytes = bytesOf(text);
      if (!bytes) return text === "" || picturePathShape.test(text);
      return bytes.length <= portraitMaxBytes && pictureTypeOf(bytes) !== null;
    };
    return v.optional(v.pipe(v.string(message), v.check(isPortrait, message)), "");
  }
  const text = kind === "line" ? singleLineText : multiLineText;
  const allowed = placeholders.map((name) => `{${name}}`);
  return v.pipe(
    text(label, { max, required: !isOptional }),
    v.check((words) => !/[<>]/.test(words), `${label} can't have < or >.`),
    v.check(
      (words) => (words.match(/\{\w*\}?/g) ?? []).every((found) => allowed.includes(found)),
      allowed.length > 0
        ? `${label} may have ${allowed.join(", ")} and nothing else in braces.`
        : `${label} can't have { or }.`,
    ),
  );
}

/** The fact's value that a form holds. A list's rows without a word are left out where there may be fewer. */
export function filledIn({ fields, rows }: SiteWord, form: FormData): unknown {
  const rowAt = (index: number) => {
    const given = Object.entries(fields).map(([name, { kind }]) => {
      const texts = form.getAll(`${index}.${name}`).map(String);
      if (kind === "days") return [name, texts];
      return [name, form.has(`${index}.${name}.none`) ? "" : (texts[0] ?? "")];
    });
    return Object.fromEntries(rows ? [...given, ["id", form.get(`${index}.id`) ?? ""]] : given);
  };
  if (!rows) return rowAt(0);
  const all = Array.from({ length: rows.max }, (_, index) => rowAt(index));
  const isFilled = ({ id: _, ...row }: Record<string, unknown>) =>
    Object.values(row).join("").trim() !== "";
  return rows.min === rows.max ? all : all.filter(isFilled);
}
