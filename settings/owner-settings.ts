import { existsSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import type { SiteSettings } from "#content/site-settings.ts";
import { isPostgres } from "#db/database-handle.ts";
import { openDatabase } from "#db/open-database.ts";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { createRecurringLook, type LookReport } from "#db/recurring-work.ts";
import type { Db } from "#db/tables.ts";
import { type Declaration, declarations, type SettingName } from "./setting-declarations.ts";
import { type ConfigResult, isFixed, readConfig, siteSettings } from "./settings.ts";

/** How often a running program looks for a change, in milliseconds. */
const lookEveryMs = 1_000;

type Environment = Record<string, string | undefined>;
type ReadSettings = Extract<ConfigResult, { ok: true }>;

/** A running program's settings, kept as the database has them. `version` is that of the last change. */
type KeptSettings = ReadSettings & { version: string; fault: string | null };

/** The settings of the desk, by the words of its form. All others are set where the site runs. */
export const ownersSettings = {
  SITE_NAME: "Name",
  SITE_EMAIL: "Email",
  SITE_PHONE: "Telephone",
  SITE_STREET: "Street and number",
  SITE_POSTAL_CODE: "Postal code",
  SITE_PROFILE_URL: "Page at a social network or directory",
  SITE_COLOUR: "Colour",
  SITE_LOGO: "Logo",
  SCHEDULING_URL: "Booking link",
  SCHEDULING_CONTACT_URL: "Booking link of the contact page",
  SMTP_URL: "Mail server",
  MAIL_FROM: "Letters are from",
  MAIL_FROM_NEWSLETTER: "Issues are from",
  CONTACT_TO: "Messages go to",
  SMTP_DAILY_LIMIT: "Mails a day that the account may send",
  BACKUP_DAYS: "Days that a nightly backup is kept",
} as const satisfies Partial<Record<SettingName, string>>;

export type OwnersSetting = keyof typeof ownersSettings;

/** The environment with what the owner has set, where it isn't fixed by the process's own environment. */
function environmentOver(environment: Environment, stored: ReadonlyMap<string, string>) {
  const ours = [...stored].filter(
    ([name]) => name in ownersSettings && !isFixed(environment, name as SettingName),
  );
  return { ...environment, ...Object.fromEntries(ours) };
}

async function readStored(db: Db) {
  return valuesOf(await db.selectFrom("settings").selectAll().execute());
}

function valuesOf(rows: { name: string; value: string }[]) {
  return new Map(rows.map(({ name, value }) => [name, value]));
}

async function readVersion(db: Db): Promise<string> {
  const last = db.selectFrom("settings").select("changed_at").orderBy("changed_at", "desc");
  return (await last.limit(1).executeTakeFirst())?.changed_at ?? "";
}

/**
 * The settings with those that the owner has set. Where both together can't be right any more, those that are named in a
 * mistake are left out, and the others stay: without the mail server, letters would become files.
 */
export async function readOwnersSettings(db: Db, environment: Environment): Promise<KeptSettings> {
  const version = await readVersion(db);
  const stored = await readStored(db);
  const faults: string[] = [];
  for (;;) {
    const read = readConfig(environmentOver(environment, stored));
    if (read.ok) {
      const fault = `What was set at the desk is left out: ${faults.join(" ")}`;
      return { ...read, version, fault: faults.length > 0 ? fault : null };
    }
    const words = new Set(read.mistakes.join(" ").split(/\W+/));
    const wrong = [...stored.keys()].filter((name) => words.has(name));
    if (wrong.length === 0) throw new Error(read.mistakes.join("\n"));
    for (const name of wrong) stored.delete(name);
    faults.push(...read.mistakes);
  }
}

/** The same for a look that changes nothing: those of the environment where there is no database to ask. */
export async function lookUpOwnersSettings(
  environment: Environment,
  read: ReadSettings,
): Promise<ReadSettings> {
  const { databaseUrl, dataDir } = read.config;
  if (databaseUrl === null && !existsSync(path.join(dataDir, sqliteFileName))) return read;
  try {
    const open = await openDatabase({ databaseUrl, dataDir });
    return await readOwnersSettings(open.db, environment).finally(() => open.close());
  } catch {
    return read;
  }
}

/**
 * Keeps the settings of a running program as the database has them, in the objects that its parts have: every part reads
 * what it needs when it needs it. While the database can't be read, they stay.
 */
export function watchOwnersSettings(
  db: Db,
  environment: Environment,
  kept: KeptSettings & { settings: SiteSettings; port?: number },
  report: LookReport & { changed?: () => unknown; leftOut: (fault: string) => void },
) {
  async function look(): Promise<void> {
    const version = await readVersion(db);
    if (version === kept.version) return;
    const fresh = await readOwnersSettings(db, environment);
    if (fresh.fault && fresh.fault !== kept.fault) report.leftOut(fresh.fault);
    const { config, settings, port } = kept;
    // The version comes last, so that what could not be taken over is tried again.
    Object.assign(config, fresh.config);
    Object.assign(kept, fresh, { config, version: kept.version });
    const shown = siteSettings(config, port);
    for (const key of Object.keys(settings) as (keyof SiteSettings)[]) {
      if (key !== "words" && !(key in shown)) delete settings[key as "logo"];
    }
    Object.assign(settings, shown);
    await report.changed?.();
    kept.version = fresh.version;
  }
  return { ...createRecurringLook(look, { everyMs: lookEveryMs, report }), look };
}

export type ListedSetting = {
  name: OwnersSetting;
  label: string;
  /** As it is set; null for a secret that is set, and empty for what isn't. */
  value: string | null;
  /** Taken where it isn't set. */
  usual: string;
  isFixed: boolean;
  /** Null where the owner never set it. */
  changedAt: string | null;
};

export async function listOwnersSettings(
  db: Db,
  environment: Environment,
): Promise<{ version: string; settings: ListedSetting[] }> {
  const version = await readVersion(db);
  const rows = await db.selectFrom("settings").selectAll().execute();
  const shown = environmentOver(environment, valuesOf(rows));
  const settings = Object.entries(ownersSettings).map(([given, label]) => {
    const name = given as OwnersSetting;
    const { secret, default: usual = "" }: Declaration = declarations[name];
    const value = shown[name]?.trim() ?? "";
    const isHidden = secret === true && value !== "";
    return {
      name,
      label,
      usual,
      value: isHidden ? null : value,
      isFixed: isFixed(environment, name),
      changedAt: rows.find((row) => row.name === name)?.changed_at ?? null,
    };
  });
  return { version, settings };
}

type SettingsSaved =
  | { ok: true }
  /** Each problem is a sentence for the owner. */
  | { ok: false; reason: "invalid"; problems: string[] }
  /** Nothing was saved: other settings than those that were changed are there. */
  | { ok: false; reason: "changed_elsewhere" };

/**
 * Sets what the owner has changed, checked with everything else as at a start. An empty text takes a setting away; the
 * value that the environment has anyhow needs no row. `basedOn` is the version that was changed.
 */
export async function saveOwnersSettings(
  db: Db,
  environment: Environment,
  { changes, basedOn, now }: { changes: Environment; basedOn: string; now: Date },
): Promise<SettingsSaved> {
  return await db.transaction().execute(async (trx) => {
    // A second save waits for the first, and then sees its version. SQLite is locked already.
    if (isPostgres(trx)) await sql`lock table settings in share row exclusive mode`.execute(trx);
    if ((await readVersion(trx)) !== basedOn) return { ok: false, reason: "changed_elsewhere" };
    const stored = await readStored(trx);
    const changed: Environment = {};
    for (const [name, text = ""] of Object.entries(changes)) {
      if (!(name in ownersSettings) || isFixed(environment, name as SettingName)) continue;
      // A path would name a file of the machine where the site runs.
      if (name === "SITE_LOGO" && !/^(data:|$)/.test(text.trim())) continue;
      changed[name] = text.trim();
      stored.set(name, text.trim());
    }
    const before = readConfig(environment);
    const read = readConfig(environmentOver(environment, stored));
    if (!read.ok) {
      const known = before.ok ? [] : before.mistakes;
      const ours = read.mistakes.filter((mistake) => !known.includes(mistake));
      return { ok: false, reason: "invalid", problems: ours.map(inOwnersWords) };
    }
    // Later than the last change, since it is the version too.
    const at = Math.max(now.getTime(), Date.parse(basedOn || "1970") + 1);
    const changed_at = new Date(at).toISOString();
    for (const [name, value = ""] of Object.entries(changed)) {
      await trx.deleteFrom("settings").where("name", "=", name).execute();
      const row = { name, value, changed_at };
      await trx.insertInto("settings").values(row).execute();
    }
    return { ok: true };
  });
}

/** A mistake begins with the setting's name, and may name others. */
function inOwnersWords(mistake: string): string {
  const names = Object.entries(ownersSettings).toSorted(([a], [b]) => b.length - a.length);
  return names.reduce((words, [name, label]) => words.replaceAll(name, `“${label}”`), mistake);
}
