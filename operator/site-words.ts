import { isDeepStrictEqual } from "node:util";
import type { Kysely } from "kysely";
import * as v from "valibot";
import { weekdays } from "#content/hours.ts";
import type { FactName } from "#content/own-words.ts";
import { type Fact, siteFacts, type WordField } from "#content/site-words.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { multiLineText, singleLineText } from "#contracts/text.ts";
import { createRecurringWork, type RecurringWork } from "#db/recurring-work.ts";
import type { Database } from "#db/tables.ts";

/** How often a running server looks for a change, in milliseconds. */
const lookEveryMs = 1_000;

const facts: Readonly<Record<string, Fact>> = siteFacts;

export type SiteWord = Omit<Fact, "refuse" | "usual"> & {
  name: FactName;
  /** The form's value now, and without a change: an object of the fields, or a list of such. */
  value: unknown;
  usual: unknown;
  /** When it was changed, as an ISO time; null where it has its usual words. */
  changedAt: string | null;
};

export type SaveResult = { ok: true } | { ok: false; problems: string[] };

/** Every fact that the owner can change, in the order of the page. */
export async function listSiteWords(db: Kysely<Database>): Promise<SiteWord[]> {
  const changed = await readChanged(db);
  return Object.entries(facts).map(([name, { refuse: _, usual, ...form }]) => {
    const words = editable(name, usual);
    const { value = words, changedAt = null } = changed.get(name) ?? {};
    return { ...form, name: name as FactName, value, usual: words, changedAt };
  });
}

/**
 * Changes a fact; every running server shows it within seconds. The usual words take the change back. Each problem is a
 * sentence for the owner.
 */
export async function saveSiteWord(
  db: Kysely<Database>,
  name: string,
  value: unknown,
): Promise<SaveResult> {
  const read = checkSiteWord(name, value);
  if (!read.ok) return read;
  if (isDeepStrictEqual(read.value, editable(name, facts[name]?.usual ?? {}))) {
    await takeBackSiteWord(db, name);
    return { ok: true };
  }
  const row = { value: JSON.stringify(read.value), changed_at: new Date().toISOString() };
  await db
    .insertInto("site_words")
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
    .execute();
  return { ok: true };
}

/** Gives a fact its usual words again. False if it had them. */
export async function takeBackSiteWord(db: Kysely<Database>, name: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("site_words")
    .where("name", "=", name)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The settings with the owner's words, as pages and mails read them. */
export async function withSiteWords(
  db: Kysely<Database>,
  settings: SiteSettings,
): Promise<SiteSettings> {
  const words = await readSiteWords(db);
  return words ? { ...settings, words } : settings;
}

/** What the owner has changed, by the fact's name; undefined where nothing is. */
export async function readSiteWords(db: Kysely<Database>): Promise<SiteSettings["words"]> {
  const changed = await readChanged(db);
  if (changed.size === 0) return undefined;
  return Object.fromEntries([...changed].map(([name, { value }]) => [name, value]));
}

/** Keeps the words of a running server's settings as the database has them. While it can't be read, they stay. */
export function watchSiteWords(
  db: Kysely<Database>,
  settings: SiteSettings,
  onChange: (names: string[]) => unknown = () => {},
): RecurringWork {
  return createRecurringWork(async () => {
    try {
      const words = await readSiteWords(db);
      if (!isDeepStrictEqual(words, settings.words)) {
        settings.words = words;
        await onChange(Object.keys(words ?? {}));
      }
    } catch {
      // Everything else that needs the database says that it is away.
    }
    return lookEveryMs;
  });
}

type Changed = ReadonlyMap<string, { value: object; changedAt: string }>;

/** Leaves out what an older version of the program stored, where it breaks today's rules. */
async function readChanged(db: Kysely<Database>): Promise<Changed> {
  const rows = await db.selectFrom("site_words").selectAll().orderBy("name").execute();
  return new Map(
    rows.flatMap(({ name, value, changed_at }) => {
      const read = checkSiteWord(name, JSON.parse(value));
      return read.ok ? [[name, { value: read.value, changedAt: changed_at }]] : [];
    }),
  );
}

/** The fields of a fact's usual words that its form has. */
function editable(name: string, usual: object): object {
  const pick = (row: object) =>
    Object.fromEntries(
      Object.entries(facts[name]?.fields ?? {}).map(([field]) => [
        field,
        row[field as keyof object] ?? "",
      ]),
    );
  return Array.isArray(usual) ? usual.map(pick) : pick(usual);
}

type CheckResult = { ok: true; value: object } | { ok: false; problems: string[] };

/** A fact's new value as it would be stored, or what is wrong with it, as sentences for the owner. */
export function checkSiteWord(name: string, given: unknown): CheckResult {
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

function schemaOf({ label, fields, rows }: Fact): v.GenericSchema<unknown, object> {
  const entries = Object.entries(fields).map(([field, form]) => [field, fieldSchema(form)]);
  const row = v.object(Object.fromEntries(entries), `${label} can't be read.`);
  if (!rows) return row;
  const { min, max } = rows;
  const many = min === max ? `${min}` : `${min} to ${max}`;
  const message = `${label} must have ${many} rows.`;
  return v.pipe(v.array(row, message), v.minLength(min, message), v.maxLength(max, message));
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
