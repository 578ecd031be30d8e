import { stat } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { amount, duration, formatBytes } from "#content/amounts.ts";
import { torontoTime } from "#content/toronto-time.ts";
import { backupLateMs, readBackupState } from "#db/backup.ts";
import type { OpenDatabase } from "#db/database-handle.ts";
import { describeCauses } from "#db/describe-causes.ts";
import { newerMigrations, pendingMigrations } from "#db/migrate.ts";
import { type DatabaseSettings, openDatabase } from "#db/open-database.ts";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { describeRestore } from "#db/restore.ts";
import { countOutbox, findStuckJobs, listBusyPaces } from "#mail/outbox.ts";
import { listPlans } from "#newsletter/issues/plans.ts";
import { listSends } from "#newsletter/sends/sends.ts";
import { findWordFaults } from "#settings/site-words.ts";
import { attention, type Finding, note, ok } from "./check-machine.ts";
import { readHeartbeat } from "./heartbeat.ts";
import { countQuarantined, describeQuarantined } from "./stored-counts.ts";

/** Looks at the database without making or migrating it, and at what waits in it. */
export async function checkDatabase({ dataDir, databaseUrl }: DatabaseSettings, now: Date) {
  const file = path.join(dataDir, sqliteFileName);
  const findings: Finding[] = [];
  if (databaseUrl === null) {
    const found = await stat(file).catch(() => null);
    if (found === null) return [note(`${file} is not there yet; the first start makes it.`)];
    findings.push(ok(`${file}, ${formatBytes(found.size)}.`));
  }
  try {
    const open = await openDatabase({ dataDir, databaseUrl });
    try {
      if (open.kind === "postgres") findings.push(await checkPostgres(open));
      const outdated = await checkMigrations(open);
      if (outdated) return [...findings, outdated];
      findings.push(ok("migrations are current."));
      return [
        ...findings,
        ...(await checkHeartbeat(open, now)),
        { about: "Sends", ...(await checkSends(open)) },
        ...(await checkPlans(open)),
        { about: "Outbox", ...(await checkOutbox(open, now)) },
        { about: "Suspected spam", ...(await checkQuarantine(open)) },
        { about: "Backups", ...(await checkBackups({ dataDir, databaseUrl }, now)) },
        ...(await checkRestore(open, { dataDir, databaseUrl })),
        ...(await checkWords(open)),
      ];
    } finally {
      await open.close();
    }
  } catch (error) {
    const advice =
      databaseUrl === null
        ? "Restore a backup, or check who may write to DATA_DIR."
        : "Check DATABASE_URL, and that PostgreSQL is running.";
    return [...findings, attention(`can't be used: ${describeCauses(error)}`, advice)];
  }
}

async function checkPostgres({ db, location }: OpenDatabase): Promise<Finding> {
  const { rows } = await sql<{ version: string; held: number; allowed: number }>`
    select current_setting('server_version') as version,
      (select count(*) from pg_stat_activity where usename = current_user) as held,
      coalesce(nullif(rolconnlimit, -1), current_setting('max_connections')::int) as allowed
    from pg_roles where rolname = current_user`.execute(db);
  const { version = "", held, allowed } = rows[0] ?? {};
  return ok(
    `${location} answers (PostgreSQL ${version}; ${held} of at most ${allowed} connections are held).`,
  );
}

async function checkMigrations(open: OpenDatabase): Promise<Finding | null> {
  const pending = (await pendingMigrations(open)).length;
  if (pending > 0) {
    const message = `${amount(pending, "migration is", "migrations are")} missing.`;
    return attention(message, "Run: db migrate");
  }
  const newer = await newerMigrations(open);
  if (newer.length === 0) return null;
  return attention(
    `is of a newer version of the program, with the migration ${newer.join(", ")}; this one doesn't start on it.`,
    "Go forward to that version again, or restore a backup from before.",
  );
}

/** Nothing where no site has run on this database. */
async function checkHeartbeat({ db }: OpenDatabase, now: Date) {
  const { answeredAt, silentMs, isSilent } = await readHeartbeat(db, now);
  if (answeredAt === null) return [];
  const finding = isSilent
    ? attention(
        `the site has not answered since ${torontoTime(answeredAt)}: visitors see nothing, and mail waits.`,
        "Start it with npm start, or see docs/deploying.md.",
      )
    : ok(`the site answered ${duration(silentMs / 1000)} ago.`);
  return [{ about: "Heartbeat", ...finding }];
}

/** A send that was paused by hand is only worth a note. */
async function checkSends({ db }: OpenDatabase): Promise<Finding> {
  const sends = (await listSends(db)).filter(({ state }) => state === "paused");
  const stuck = sends.filter(({ pauseReason }) => pauseReason !== null);
  const [first] = stuck;
  if (first) {
    const words = stuck.map((send) => `send ${send.id} ("${send.title}"): ${send.pauseReason}`);
    const message = `${amount(stuck.length, "send has", "sends have")} paused by itself. ${words.join(" ")}`;
    return attention(
      message,
      `Mend that first. Then press Resume at the desk, or: sends resume ${first.id}`,
    );
  }
  if (sends.length === 0) return ok("none has paused.");
  const ids = sends.map(({ id }) => id).join(", ");
  return note(`paused by hand: ${ids}.`, "To go on, press Resume at the desk, or: sends resume ID");
}

/** Nothing where no plan has been stopped. */
async function checkPlans({ db }: OpenDatabase): Promise<(Finding & { about: string })[]> {
  const stopped = (await listPlans(db)).filter(({ problem }) => problem !== null);
  return stopped.map(({ id, title, problem }) => ({
    about: "Plans",
    ...attention(
      `plan ${id} ("${title}") was not carried out: ${problem}`,
      "Mend that first. Then choose another hour at the desk, under Issues.",
    ),
  }));
}

async function checkOutbox({ db }: OpenDatabase, now: Date): Promise<Finding> {
  const { waiting, failed, delivered, oldestWaitingAt, lastFailure } = await countOutbox(db);
  const waitedMs = oldestWaitingAt === null ? 0 : now.getTime() - Date.parse(oldestWaitingAt);
  const age = waiting > 0 && waitedMs > 0 ? `, the oldest for ${duration(waitedMs / 1000)}` : "";
  const stuck = await findStuckJobs(db, now);
  const answer = stuck?.words ?? lastFailure;
  const words = answer ? ` The last answer: ${answer}` : "";
  const message = `${waiting} waiting${age}; ${failed} failed; ${delivered} delivered.${words}`;
  const paced = (await listBusyPaces(db, now)).join(" and ");
  const advice =
    failed > 0
      ? "Mend that first. Then press “Try them all again” at the desk, under Today."
      : paced !== ""
        ? `More ${paced} come in than mail is sent for, so mail waits for its pace.`
        : stuck
          ? "The site must be running to send."
          : null;
  return advice === null ? ok(message) : attention(message, advice);
}

async function checkQuarantine({ db }: OpenDatabase): Promise<Finding> {
  const quarantined = await countQuarantined(db);
  const message = `${describeQuarantined(quarantined)} quarantined.`;
  if (quarantined.messages + quarantined.signUps === 0) return ok(message);
  return note(
    message,
    "A person can be among them: look under Messages and Subscribers at the desk.",
  );
}

async function checkBackups(place: DatabaseSettings, now: Date): Promise<Finding> {
  const { made, failed } = await readBackupState(place);
  const last = made ? `The last one was made at ${torontoTime(made.madeAt)}` : "None was made";
  if (failed) {
    return attention(
      `the backup of ${torontoTime(failed.at)} failed: ${failed.words}. ${last}.`,
      "Mend that, then press “Back up now” at the desk.",
    );
  }
  if (made === null) {
    return note(
      "none was made yet.",
      "The running site makes one every night; docs/operating.md says more.",
    );
  }
  if (now.getTime() - Date.parse(made.madeAt) < backupLateMs) return ok(`${last} (${made.name}).`);
  return attention(
    `${last}, and none since.`,
    "See whether the site runs at night, or press “Back up now” at the desk.",
  );
}

async function checkRestore({ db }: OpenDatabase, place: DatabaseSettings): Promise<Finding[]> {
  const restore = await describeRestore(db, place, torontoTime);
  if (!restore) return [];
  const advice = restore.state === "held" ? "db restore --go-on, or “Go on” at the desk." : "";
  return [{ about: "Restore", ...attention(restore.text, advice) }];
}

async function checkWords({ db }: OpenDatabase): Promise<Finding[]> {
  const advice = "Save it again at the desk, under The site's words, or delete the row.";
  const faults = await findWordFaults(db);
  return faults.map((fault) => ({ about: "The site's words", ...attention(fault, advice) }));
}
