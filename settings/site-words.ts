import { isDeepStrictEqual } from "node:util";
import type { Kysely } from "kysely";
import * as v from "valibot";
import { weekdays } from "#content/hours.ts";
import { sentences } from "#content/sentences.ts";
import type { SiteSettings } from "#content/site-settings.ts";
import { type Fact, siteFacts, type WordField } from "#content/site-words.ts";
import { multiLineText, singleLineText } from "#content/text.ts";
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

/** How often a running server looks for a change, in milliseconds. */
const lookEveryMs = 1_000;

const facts: Readonly<Record<string, Fact>> = { ...siteFacts, ...sentences };

/** Uploaded, a portrait is a small JPEG: the desk has cut and shrunk it. */
const portraitMaxBytes = 300_000;

export type SiteWord = Omit<Fact, "refuse" | "usual"> & {
  name: string;
  /** The form's value now: an object of the fields, or a list of such with the id of each row. */
  value: unknown;
  /** When it was changed, as an ISO time; null where it has its usual words. It is also the version of a change. */
  changedAt: string | null;
  fault: string | null;
};

export type SaveResult =
  | { ok: true }
  | { ok: false; reason: "invalid"; problems: string[] }
  /** Nothing was saved: it isn't the version that was changed. */
  | { ok: false; reason: "changed_elsewhere"; current: SiteWord; by: string };

/** Every fact and sentence that the owner can change, in the order of the pages. */
export async function listSiteWords(db: Kysely<Database>): Promise<SiteWord[]> {
  const stored = await readStored(db);
  return Object.entries(facts).map(([name, { refuse: _, usual, ...form }]) => {
    const { read, changedAt = null } = stored.get(name) ?? {};
    return {
      ...form,
      name,
      value: read?.ok ? read.value : editable(name, usual),
      changedAt,
      fault: read?.ok === false ? read.problems.join(" ") : null,
    };
  });
}

type Change = { name: string; basedOn: string | null; by?: string };

/**
 * Changes a fact; every running server shows it within seconds. The usual words take the change back. `basedOn` is the
 * `changedAt` of what was changed, `by` who changes it. Each problem is a sentence for the owner.
 */
export async function saveSiteWord(
  db: Kysely<Database>,
  { value, ...change }: Change & { value: unknown },
): Promise<SaveResult> {
  const { name } = change;
  const read = checkSiteWord(name, value);
  if (!read.ok) return { ...read, reason: "invalid" };
  const isUsual = isDeepStrictEqual(read.value, editable(name, facts[name]?.usual ?? {}));
  return await store(db, { ...change, value: isUsual ? null : read.value });
}

export function takeBackSiteWord(db: Kysely<Database>, change: Change): Promise<SaveResult> {
  return store(db, { ...change, value: null });
}

/** Puts back the words of an earlier change: `at` is when it was made. A portrait that was deleted since stays away. */
export async function putBackSiteWord(
  db: Kysely<Database>,
  { at, ...change }: Change & { at: string },
): Promise<SaveResult> {
  const earlier = await changesOf(db, change.name).where("changed_at", "=", at).executeTakeFirst();
  if (!earlier) return { ok: false, reason: "invalid", problems: ["That change is not kept."] };
  if (earlier.value === null) return await takeBackSiteWord(db, change);
  return await saveSiteWord(db, { ...change, value: JSON.parse(earlier.value) });
}

export type WordChange = { at: string; by: string; before: unknown; after: unknown };

/** The last fifty changes of a fact, newest first. */
export async function listWordChanges(db: Kysely<Database>, name: string): Promise<WordChange[]> {
  const kept = 50;
  const rows = await changesOf(db, name)
    .orderBy("changed_at", "desc")
    .limit(kept + 1)
    .execute();
  const usual = editable(name, facts[name]?.usual ?? {});
  const values = rows.map(({ value }): unknown => (value === null ? usual : JSON.parse(value)));
  return rows.slice(0, kept).map(({ changed_at, changed_by }, index) => ({
    at: changed_at,
    by: changed_by,
    before: values[index + 1] ?? usual,
    after: values[index],
  }));
}

function changesOf(db: Db, name: string) {
  return db.selectFrom("site_word_changes").selectAll().where("name", "=", name);
}

async function store(
  db: Kysely<Database>,
  { name, value, basedOn, by = "" }: Change & { value: object | null },
): Promise<SaveResult> {
  const isStored = await db.transaction().execute(async (trx) => {
    const ofName = trx.deleteFrom("site_words").where("name", "=", name);
    const { numDeletedRows } = await ofName.where("changed_at", "=", basedOn).executeTakeFirst();
    if (basedOn !== null && numDeletedRows === 0n) return false;
    const last = await changesOf(trx, name).orderBy("changed_at", "desc").executeTakeFirst();
    // Later than the last change, since it is the version too.
    const earliest = Date.parse(basedOn ?? last?.changed_at ?? "1970") + 1;
    const now = new Date(Math.max(Date.now(), earliest));
    const changed_at = now.toISOString();
    const text = JSON.stringify(value && (await withStoredPortraits(trx, name, value, now)));
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("site_words")
      .values({ name, value: text, changed_at })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .executeTakeFirst();
    // The usual words have no row; until here it has shown whether another window's is there.
    if (value === null) await ofName.where("changed_at", "=", changed_at).execute();
    if (numInsertedOrUpdatedRows !== 1n) return false;
    const change = { name, changed_at, changed_by: by, value: value && text };
    if ((last?.value ?? null) !== change.value) {
      await trx.insertInto("site_word_changes").values(change).execute();
    }
    if (hasPortraits(name)) await removeUnshown(trx);
    return true;
  });
  if (isStored) return { ok: true };
  const current = (await listSiteWords(db)).find((fact) => fact.name === name);
  if (!current) throw new Error(`There is no fact named ${name}`);
  const [last] = await listWordChanges(db, name);
  return { ok: false, reason: "changed_elsewhere", current, by: last?.by ?? "" };
}

function hasPortraits(name: string): boolean {
  return Object.values(facts[name]?.fields ?? {}).some(({ kind }) => kind === "portrait");
}

/** The rows with each new portrait stored, and without those that are gone. */
async function withStoredPortraits(trx: Db, name: string, value: object, now: Date) {
  if (!hasPortraits(name) || !Array.isArray(value)) return value;
  const rows: object[] = [];
  for (const { portrait, ...row } of value) {
    const bytes = bytesOf(portrait);
    const picture = bytes && readPicture(bytes);
    if (picture) await storePicture(trx, picture, now);
    const path = picture ? picturePath(picture) : portrait;
    rows.push({ ...row, portrait: path && (await findPicture(trx, path)) ? path : "" });
  }
  return rows;
}

function bytesOf(portrait: string): Buffer | null {
  const [, base64] = /^data:[\w/]+;base64,(.*)$/.exec(portrait) ?? [];
  return base64 === undefined ? null : Buffer.from(base64, "base64");
}

/** The settings with the owner's words, as pages and mails read them. */
export async function withSiteWords(
  db: Kysely<Database>,
  settings: SiteSettings,
): Promise<SiteSettings> {
  const words = await readSiteWords(db);
  return words ? { ...settings, words } : settings;
}

/** The owner's changes by the fact's name; undefined if there are none. */
export async function readSiteWords(db: Kysely<Database>): Promise<SiteSettings["words"]> {
  return storedWordsOf(await readStored(db));
}

/** A sentence for each stored change that is not shown, because it can't be read or breaks today's rules. */
export async function findWordFaults(db: Kysely<Database>): Promise<string[]> {
  return faultsOf(await readStored(db));
}

/** Keeps the words of a running server's settings as the database has them. While it can't be read, they stay. */
export function watchSiteWords(
  db: Kysely<Database>,
  settings: SiteSettings,
  report: LookReport & {
    changed?: (names: string[]) => unknown;
    leftOut: (fault: string) => void;
  },
) {
  let known: string[] = [];
  let taken = settings.words;
  async function look(): Promise<void> {
    const stored = await readStored(db);
    const faults = faultsOf(stored);
    for (const fault of faults) if (!known.includes(fault)) report.leftOut(fault);
    known = faults;
    const words = storedWordsOf(stored);
    if (isDeepStrictEqual(words, taken)) return;
    settings.words = words;
    await report.changed?.(Object.keys(words ?? {}));
    // Last, so that what could not be taken over is tried again.
    taken = words;
  }
  return createRecurringLook(look, { everyMs: lookEveryMs, report });
}

type Stored = ReadonlyMap<string, { read: CheckResult; changedAt: string }>;

async function readStored(db: Kysely<Database>): Promise<Stored> {
  const rows = await db.selectFrom("site_words").selectAll().orderBy("name").execute();
  return new Map(
    rows.map(({ name, value, changed_at }) => [
      name,
      { read: readStoredValue(name, value), changedAt: changed_at },
    ]),
  );
}

function readStoredValue(name: string, text: string): CheckResult {
  try {
    return checkSiteWord(name, JSON.parse(text));
  } catch {
    return { ok: false, problems: ["It isn't JSON."] };
  }
}

function storedWordsOf(stored: Stored): SiteSettings["words"] {
  const shown = [...stored].flatMap(([name, { read }]) => {
    const over = facts[name]?.over;
    return read.ok ? [[name, over === undefined ? read.value : { ...read.value, over }]] : [];
  });
  return shown.length > 0 ? Object.fromEntries(shown) : undefined;
}

function faultsOf(stored: Stored): string[] {
  return [...stored].flatMap(([name, { read }]) =>
    read.ok ? [] : [`The row “${name}” of site_words is left out: ${read.problems.join(" ")}`],
  );
}

/** The fields of a fact's usual words that its form has, and the ids of a list's rows. */
function editable(name: string, usual: object): object {
  const names = Object.keys(facts[name]?.fields ?? {});
  const pick = (row: object, fields: string[]) =>
    Object.fromEntries(fields.map((field) => [field, row[field as keyof object] ?? ""]));
  return Array.isArray(usual)
    ? usual.map((row) => pick(row, ["id", ...names]))
    : pick(usual, names);
}

type CheckResult = { ok: true; value: object } | { ok: false; problems: string[] };

/** A fact's new value as it would be stored, or what is wrong with it, as sentences for the owner. */
function checkSiteWord(name: string, given: unknown): CheckResult {
  const fact = facts[name];
  if (!fact) return { ok: false, problems: [`There is no fact named “${name}”.`] };
  const read = v.safeParse(schemaOf(fact), given);
  if (!read.success)
    return { ok: false, problems: read.issues.map((issue) => sentence(fact, issue)) };
  const refusal = fact.refuse?.(read.output as never);
  return refusal ? { ok: false, problems: [refusal] } : { ok: true, value: read.output };
}

/** `Question 2: Answer is longer than 600 characters.` */
function sentence({ rows }: Fact, { message, path }: v.BaseIssue<unknown>): string {
  const index = path?.[0]?.key;
  return rows && typeof index === "number" ? `${rows.name} ${index + 1}: ${message}` : message;
}

function schemaOf({ label, fields, rows, usual }: Fact): v.GenericSchema<unknown, object> {
  const unreadable = `${label} can't be read.`;
  const entries = Object.entries(fields).map(([field, form]) => [field, fieldSchema(form)]);
  if (!rows) return v.object(Object.fromEntries(entries), unreadable);
  const { min, max } = rows;
  const ids = (usual as { id: string }[]).map(({ id }) => id);
  const row = v.object(
    // A new row has no id.
    {
      ...Object.fromEntries(entries),
      id: v.picklist(min === max ? ids : ["", ...ids], unreadable),
    },
    unreadable,
  );
  const many = min === max ? `${min}` : `${min} to ${max}`;
  const message = `${label} must have ${many} rows.`;
  return v.pipe(
    v.array(row, message),
    v.minLength(min, message),
    v.maxLength(max, message),
    v.check((all) => {
      const known = all.map(({ id }) => id).filter(Boolean);
      return new Set(known).size === known.length;
    }, unreadable),
  );
}

function fieldSchema({ label, kind, max = 200, isOptional, placeholders }: WordField) {
  switch (kind) {
    case "time":
      return v.pipe(
        v.string(`${label} must be a time.`),
        v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, `${label} must be a time between 00:00 and 23:59.`),
      );
    case "days":
      return v.pipe(
        v.array(
          v.picklist(weekdays, `${label} must be days of the week.`),
          `${label} must be days of the week.`,
        ),
        v.minLength(1, `${label} must have at least one day.`),
        v.transform((days) => weekdays.filter((day) => days.includes(day))),
      );
    case "portrait":
      return v.optional(
        v.pipe(
          v.string(`${label} must be a picture.`),
          v.check(
            (text) => {
              const bytes = bytesOf(text);
              if (!bytes) return text === "" || picturePathShape.test(text);
              return bytes.length <= portraitMaxBytes && pictureTypeOf(bytes) !== null;
            },
            `${label} must be a picture of at most ${portraitMaxBytes / 1000} KB.`,
          ),
        ),
        "",
      );
    default: {
      const text = kind === "line" ? singleLineText : multiLineText;
      return v.pipe(
        text(label, { max, required: !isOptional }),
        v.check((words) => !/[<>]/.test(words), `${label} can't have < or >.`),
        v.check(
          (words) =>
            [...words.matchAll(/\{(\w*)\}?/g)].every(
              ([, name = ""]) => placeholders?.includes(name) ?? false,
            ),
          placeholders
            ? `${label} may have ${placeholders.map((name) => `{${name}}`).join(", ")} and nothing else in braces.`
            : `${label} can't have { or }.`,
        ),
      );
    }
  }
}
