import { stat } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { countHeld, describeHeld } from "#contact/quarantine.ts";
import type { OpenDatabase } from "#db/database-handle.ts";
import { describeCauses } from "#db/describe-causes.ts";
import { newerMigrations, pendingMigrations } from "#db/migrate.ts";
import { openDatabase } from "#db/open-database.ts";
import { readJournalMode, readSynchronous, sqliteFileName } from "#db/open-sqlite.ts";
import { listBusyPaces } from "#mail/mail-pace.ts";
import { countOutbox } from "#mail/outbox-list.ts";
import type { Config } from "#server/settings.ts";
import { formatAge } from "../terminal.ts";
import { formatBytes } from "../text-files.ts";
import type { Finding } from "./check-reachable.ts";

/** A delivery that has waited longer shows that something is wrong: most go out within seconds. Milliseconds. */
const longWaitMs = 15 * 60_000;

/** What waits and what has failed. */
async function checkOutbox({ db }: OpenDatabase, now: Date): Promise<Finding> {
  const { waiting, failed, delivered, oldestWaitingAt } = await countOutbox(db);
  const waitedMs = oldestWaitingAt === null ? 0 : now.getTime() - Date.parse(oldestWaitingAt);
  const age = waiting > 0 && waitedMs > 0 ? `, the oldest for ${formatAge(waitedMs)}` : "";
  const message = `${waiting} waiting${age}; ${failed} failed; ${delivered} delivered.`;
  const about = "Outbox";
  if (failed > 0) {
    const advice = "See why: outbox list --failed. Then: outbox retry --all-failed";
    return { about, state: "attention", message, advice };
  }
  const paced = await listBusyPaces(db, now);
  if (paced.length > 0) {
    const what = paced.join(" and ");
    const advice = `More ${what} come in than mail is sent for, so mail waits for its pace: outbox list --waiting`;
    return { about, state: "attention", message, advice };
  }
  if (waitedMs > longWaitMs) {
    const advice = "See why: outbox list --waiting. The site must be running to send.";
    return { about, state: "attention", message, advice };
  }
  return { about, state: "ok", message };
}

const about = "Database";

/** Looks at the database without making or migrating it, and at what waits in its outbox. */
export async function checkDatabase(
  { dataDir, databaseUrl }: Config,
  now: Date,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (databaseUrl === null) {
    const file = path.join(dataDir, sqliteFileName);
    const found = await stat(file).catch(() => null);
    if (found === null) {
      const message = `${file} is not there yet; the first start makes it.`;
      return [{ about, state: "note", message }];
    }
    findings.push({ about, state: "ok", message: `${file}, ${formatBytes(found.size)}.` });
  }
  try {
    if (databaseUrl === null) findings.push(checkJournal(path.join(dataDir, sqliteFileName)));
    const open = await openDatabase({ dataDir, databaseUrl });
    try {
      findings.push(...(await checkOpened(open, now)));
    } finally {
      await open.close();
    }
  } catch (error) {
    const message = `can't be used: ${describeCauses(error)}`;
    const advice =
      databaseUrl === null
        ? "Restore a backup, or check who may write to DATA_DIR."
        : "Check DATABASE_URL, and that PostgreSQL is running.";
    findings.push({ about, state: "attention", message, advice });
  }
  return findings;
}

async function checkOpened(open: OpenDatabase, now: Date): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (open.kind === "postgres") {
    const { rows } = await sql<{ server_version: string }>`show server_version`.execute(open.db);
    const message = `${open.location} answers (PostgreSQL ${rows[0]?.server_version ?? ""}).`;
    findings.push({ about, state: "ok", message });
  } else {
    const { isFull, synchronous } = await readSynchronous(open);
    findings.push({
      about,
      state: isFull ? "ok" : "attention",
      message: `synchronous is ${isFull ? "FULL: an accepted message survives a power cut" : `${synchronous}, not FULL`}.`,
    });
  }
  const pending = await pendingMigrations(open);
  if (pending.length > 0) {
    findings.push({
      about,
      state: "attention",
      message: `${pending.length} ${pending.length === 1 ? "migration is" : "migrations are"} missing.`,
      advice: "Run: db migrate",
    });
    return findings;
  }
  const newer = await newerMigrations(open);
  if (newer.length > 0) {
    findings.push({
      about,
      state: "attention",
      message: `is of a newer version of the program, with the migration ${newer.join(", ")}; this one doesn't start on it.`,
      advice: "Go forward to that version again, or restore a backup from before.",
    });
    return findings;
  }
  findings.push({ about, state: "ok", message: "migrations are current." });
  return [...findings, await checkOutbox(open, now), await checkHeld(open)];
}

function checkJournal(file: string): Finding {
  const mode = readJournalMode(file);
  if (mode === "wal") {
    return { about, state: "ok", message: "journal mode is WAL: commands work beside the site." };
  }
  const message = `journal mode was ${mode}, not WAL; opening it has set it right.`;
  return { about, state: "note", message };
}

/** What is held as suspected spam and waits for somebody to look at it. */
async function checkHeld({ db }: OpenDatabase): Promise<Finding> {
  const held = await countHeld(db);
  const about = "Suspected spam";
  const message = `${describeHeld(held)} held.`;
  const commands = [
    ...(held.messages > 0 ? ["messages list --held"] : []),
    ...(held.signUps > 0 ? ["subscribers list --held"] : []),
  ];
  if (commands.length === 0) return { about, state: "ok", message };
  const advice = `A person can be among them: ${commands.join(" and ")}`;
  return { about, state: "note", message, advice };
}
