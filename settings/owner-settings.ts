import { sql } from "kysely";
import type { SiteSettings } from "#content/site-settings.ts";
import { isPostgres } from "#db/database-handle.ts";
import { isThere, openDatabase } from "#db/open-database.ts";
import { createRecurringLook, type LookReport } from "#db/recurring-work.ts";
import type { Db } from "#db/tables.ts";
import {
  type Declaration,
  declarationOf,
  declarations,
  type SettingName,
  settingNames,
} from "./setting-declarations.ts";
import {
  type Environment,
  isFixed,
  type Mistake,
  type ReadSettings,
  readConfig,
  siteSettings,
} from "./settings.ts";

/** A running program's settings, kept as the database has them. `version` is that of the last change. */
type KeptSettings = ReadSettings & { version: string };

/** Whether the owner sets it at the desk. */
export function isOwners(name: string): boolean {
  return declarationOf(name)?.desk !== undefined;
}

/** As the desk calls a setting. */
export function labelOf(name: string): string {
  return declarationOf(name)?.desk?.label ?? name;
}

/** The environment with what the owner has set, where it isn't fixed by the process's own environment. */
function environmentOver(environment: Environment, stored: ReadonlyMap<string, string>) {
  const ours = [...stored].filter(([name]) => isOwners(name) && !isFixed(environment, name));
  return { ...environment, ...Object.fromEntries(ours) };
}

async function readVersion(db: Db): Promise<string> {
  const last = db.selectFrom("settings").select("changed_at").orderBy("changed_at", "desc");
  return (await last.limit(1).executeTakeFirst())?.changed_at ?? "";
}

async function readStored(db: Db) {
  const version = await readVersion(db);
  const rows = await db.selectFrom("settings").select(["name", "value"]).execute();
  return { version, stored: new Map(rows.map(({ name, value }) => [name, value])) };
}

/**
 * The settings with those that the owner has set. One that can't be right any more is left out with a warning, and the
 * others stay: without the mail server, letters would become files.
 */
export async function readOwnersSettings(db: Db, environment: Environment): Promise<KeptSettings> {
  const { version, stored } = await readStored(db);
  const leftOut: Mistake[] = [];
  for (;;) {
    const read = readConfig(environmentOver(environment, stored));
    if (read.ok) return { ...read, version, warnings: [...read.warnings, ...leftOut] };
    const ours = read.mistakes.filter(({ name }) => stored.delete(name));
    if (ours.length === 0) throw new Error(JSON.stringify(read.mistakes));
    for (const { name, problem } of ours) {
      leftOut.push({ name, problem: `is left out as it was set at the desk, since it ${problem}` });
    }
  }
}

/** The same for a look that changes nothing: those of the environment where there is no database to ask. */
export async function lookUpOwnersSettings(
  environment: Environment,
  read: ReadSettings,
): Promise<ReadSettings> {
  const open = isThere(read.config) ? await openDatabase(read.config).catch(() => null) : null;
  const set = open && (await readOwnersSettings(open.db, environment).catch(() => null));
  await open?.close();
  return set ?? read;
}

/**
 * Keeps the settings of a running program as the database has them, in the objects that its parts have: every part reads
 * what it needs when it needs it. While the database can't be read, they stay.
 */
export function watchOwnersSettings(
  db: Db,
  environment: Environment,
  kept: KeptSettings & { settings: SiteSettings; port?: number },
  report: LookReport & { changed?: () => unknown },
) {
  async function look(): Promise<void> {
    if ((await readVersion(db)) === kept.version) return;
    const { version, config, ...fresh } = await readOwnersSettings(db, environment);
    Object.assign(kept.config, config);
    Object.assign(kept, fresh);
    const shown = siteSettings(config, kept.port);
    if (!shown.logo) delete kept.settings.logo;
    Object.assign(kept.settings, shown);
    await report.changed?.();
    // Last, so that what could not be taken over is tried again.
    kept.version = version;
  }
  return { ...createRecurringLook(look, report), look };
}

export type ListedSetting = NonNullable<Declaration["desk"]> & {
  name: SettingName;
  input: Declaration["kind"]["input"];
  /** As it is read; empty where it isn't set, and for a secret. */
  value: string;
  isSet: boolean;
  /** Taken where it isn't set. */
  usual: string;
  isFixed: boolean;
};

export async function listOwnersSettings(
  db: Db,
  environment: Environment,
): Promise<{ version: string; settings: ListedSetting[] }> {
  const { version, stored } = await readStored(db);
  return { version, settings: listed(environment, stored) };
}

function listed(environment: Environment, stored: ReadonlyMap<string, string>): ListedSetting[] {
  const texts = environmentOver(environment, stored);
  return settingNames.flatMap((name) => {
    const { kind, isSecret, desk, default: usual = "" }: Declaration = declarations[name];
    if (!desk) return [];
    const { input } = kind;
    const text = texts[name]?.trim() ?? "";
    const isSet = text !== "";
    // A browser's colour field is never empty.
    const unset = input === "color" ? usual : "";
    const shown = isSet ? String(kind.read(text) ?? text) : unset;
    const value = isSecret || input === "logo" ? "" : shown;
    return { ...desk, name, usual, input, value, isSet, isFixed: isFixed(environment, name) };
  });
}

/**
 * Checked with everything else as at a start. An empty text takes a setting away. `basedOn` is the version that was changed;
 * a refusal without mistakes says that another window has changed it since.
 */
export async function saveOwnersSettings(
  db: Db,
  environment: Environment,
  { changes, basedOn, now }: { changes: Environment; basedOn: string; now: Date },
): Promise<{ ok: true } | { ok: false; mistakes: Mistake[] }> {
  return await db.transaction().execute(async (trx) => {
    // A second save waits for the first, and then sees its version. SQLite is locked already.
    if (isPostgres(trx)) await sql`lock table settings in share row exclusive mode`.execute(trx);
    const { version, stored } = await readStored(trx);
    if (version !== basedOn) return { ok: false, mistakes: [] };
    const changed = new Map<string, string>();
    for (const { name, isFixed, value: before, isSet } of listed(environment, stored)) {
      const value = changes[name]?.trim();
      if (value === undefined || isFixed || (value === before && (value || !isSet))) continue;
      // A path would name a file of the machine where the site runs.
      if (name === "SITE_LOGO" && !/^(data:|$)/.test(value)) continue;
      changed.set(name, value);
    }
    for (const [name, value] of changed) stored.set(name, value);
    const read = readConfig(environmentOver(environment, stored));
    if (!read.ok) return read;
    // Later than the last change, since it is the version too.
    const at = Math.max(now.getTime(), Date.parse(basedOn || "1970") + 1);
    const changed_at = new Date(at).toISOString();
    for (const [name, value] of changed) {
      await trx.deleteFrom("settings").where("name", "=", name).execute();
      await trx.insertInto("settings").values({ name, value, changed_at }).execute();
    }
    return { ok: true };
  });
}
