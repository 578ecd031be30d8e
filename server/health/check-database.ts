import { type Kysely, sql } from "kysely";
import { amount, duration, formatBytes } from "#content/amounts.ts";
import { shortTorontoTime } from "#content/toronto-time.ts";
import { backupLateMs, readBackupState } from "#db/backup.ts";
import type { OpenDatabase } from "#db/database-handle.ts";
import { describeCauses } from "#db/describe-causes.ts";
import { newerMigrations, pendingMigrations } from "#db/migrate.ts";
import { type DatabaseSettings, isThere, openDatabase } from "#db/open-database.ts";
import { describeRestore } from "#db/restore.ts";
import type { Database } from "#db/tables.ts";
import { countOutbox, findLateJobs } from "#mail/outbox.ts";
import { listPlans } from "#newsletter/issues/plans.ts";
import { isDayOver } from "#newsletter/sends/recipients.ts";
import { listSends } from "#newsletter/sends/sends.ts";
import { findWordFaults } from "#settings/site-words.ts";
import {
  attention,
  type Finding,
  type NamedFinding,
  note,
  ok,
  runChecks,
} from "./check-machine.ts";
import { readHeartbeat } from "./heartbeat.ts";

/** Without `smtpDailyLimit`, mails are not limited. */
type Place = DatabaseSettings & { smtpDailyLimit?: number | null };

/** For doctor: opens the database without making or migrating it, and judges what is in it. */
export async function checkDatabase(place: Place, now: Date): Promise<NamedFinding[]> {
  const about = "Database";
  if (!isThere(place)) {
    const message = `${place.dataDir} has no database yet; the first start makes it.`;
    return [{ about, ...note(message) }];
  }
  let open: OpenDatabase | null = null;
  try {
    open = await openDatabase(place);
    const described = await describeDatabase(open);
    const tables = await checkTables(open);
    const isCurrent = tables.state === "ok";
    return [
      { about, ...described },
      { about, ...tables },
      ...(isCurrent ? await checkStored(open.db, place, now) : []),
    ];
  } catch (error) {
    const advice =
      place.databaseUrl === null
        ? "Restore a backup, or check who may write where the site keeps its data."
        : "Check its address in the settings, and that PostgreSQL is running.";
    return [{ about, ...attention(`It can't be used: ${describeCauses(error)}`, advice) }];
  } finally {
    await open?.close();
  }
}

type Stored = Kysely<Database>;

/** Judges what the site has stored. Asks the database and its folder alone, so it answers at once. */
export async function checkStored(db: Stored, place: Place, now: Date): Promise<NamedFinding[]> {
  return await runChecks({
    Heartbeat: checkHeartbeat(db, now),
    Sends: checkSends(db, place, now),
    Plans: checkPlans(db),
    Outbox: checkOutbox(db, now),
    Backups: checkBackups(place, now),
    Restore: checkRestore(db, place),
    "The site's words": checkWords(db),
  });
}

async function describeDatabase({ db, kind, location }: OpenDatabase): Promise<Finding> {
  if (kind === "sqlite") {
    // The file itself holds nothing of what is still in the write-ahead log.
    const { rows } = await sql<{ bytes: number }>`select page_count * page_size as bytes
      from pragma_page_count, pragma_page_size`.execute(db);
    return ok(`${location}, ${formatBytes(rows[0]?.bytes ?? 0)}.`);
  }
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

async function checkTables(open: OpenDatabase): Promise<Finding> {
  const pending = (await pendingMigrations(open)).length;
  if (pending > 0) {
    const message = `${amount(pending, "migration is", "migrations are")} missing.`;
    return attention(message, "Run: db migrate");
  }
  const newer = await newerMigrations(open);
  if (newer.length === 0) return ok("Its migrations are current.");
  return attention(
    `It is of a newer version of the program, with the migration ${newer.join(", ")}; this one doesn't start on it.`,
    "Go forward to that version again, or restore a backup from before.",
  );
}

function lengthSince(at: string, now: Date): string {
  return duration(Math.max(0, now.getTime() - Date.parse(at)) / 1000);
}

async function checkHeartbeat(db: Stored, now: Date): Promise<Finding> {
  const { answeredAt, isSilent } = await readHeartbeat(db, now);
  if (answeredAt === null) return note("The site has not run yet.", "Start it with npm start.");
  const length = lengthSince(answeredAt, now);
  if (!isSilent) return ok(`The site answered ${length} ago.`);
  return attention(
    `The site has not answered for ${length}. Visitors see nothing, and nothing is sent.`,
    "Start it with npm start, or ask whoever set up your server.",
  );
}

/** A send that was paused by hand is only worth a note, and one that waits for tomorrow nothing. */
async function checkSends(db: Stored, place: Place, now: Date): Promise<Finding[]> {
  const isWaiting = await isDayOver(db, place.smtpDailyLimit ?? null, now);
  const found = (await listSends(db, { open: true })).flatMap((send) => {
    const { id, title, state, pauseReason, trouble } = send;
    const page = { to: `/sends/${id}`, deed: "Resume…" };
    const advice = "Press Resume at the desk.";
    if (state === "sending" && trouble && !isWaiting) {
      const message = `“${title}” is not going out: ${trouble}.`;
      const hint = "Check the mail server under Settings. It is tried again by itself.";
      return { ...attention(message, hint), ...page, deed: "Mend it…" };
    }
    if (state !== "paused") return [];
    if (!pauseReason) return { ...note(`“${title}” was paused by hand.`, advice), ...page };
    const message = `“${title}” paused itself: ${pauseReason}.`;
    return { ...attention(message, `Mend that first. ${advice}`), ...page };
  });
  return found.length > 0 ? found : [ok("No send has paused.")];
}

async function checkPlans(db: Stored): Promise<Finding[]> {
  return (await listPlans(db)).flatMap(({ title, problem, draftId }) => {
    if (problem === null) return [];
    const message = `“${title || "Untitled"}” was not published: ${problem}`;
    const advice = "Mend that first. Then choose another hour at the desk, under Issues.";
    const to = `/issues/drafts/${draftId}/plan`;
    return { ...attention(message, advice), to, deed: "Mend it…" };
  });
}

/** A refused try is told at once, and mail that nobody tries to send after ten minutes. */
async function checkOutbox(db: Stored, now: Date): Promise<Finding[]> {
  const { waiting, failed, lastFailure } = await countOutbox(db);
  const findings: Finding[] = [];
  const said = (words: string | null) =>
    words ? ` The server’s words: ${words.replace(/\.$/, "")}.` : "";
  const late = await findLateJobs(db, now);
  if (late) {
    const what = `${amount(late.count, "mail has", "mails have")} not left for`;
    findings.push(
      attention(
        `${what} ${lengthSince(late.since, now)}.${said(late.words)}`,
        "It is tried again, as long as the site runs. After a flood of messages or sign-ups, mail is spaced out.",
      ),
    );
  }
  if (failed > 0) {
    const what = amount(failed, "mail or call", "mails and calls");
    const message = `${what} could not be delivered. Nothing is lost.${said(lastFailure)}`;
    const advice = "When the mail server works again, press “Try them all again” on Today.";
    findings.push({ ...attention(message, advice), canRetry: true });
  }
  if (findings.length > 0) return findings;
  const words = amount(waiting, "mail or call waits", "mails or calls wait");
  return [ok(waiting > 0 ? `${words} to leave.` : "All mail has left.")];
}

type Quarantined = { messages: number; signUps: number };

export async function countQuarantined(db: Stored): Promise<Quarantined> {
  const { rows } = await sql<Quarantined>`select
    (select count(*) from contact_messages where held_at is not null) as messages,
    (select count(*) from subscribers where held_at is not null) as "signUps"`.execute(db);
  return rows[0] ?? { messages: 0, signUps: 0 };
}

async function checkBackups(place: DatabaseSettings, now: Date): Promise<Finding> {
  const { made, failed } = await readBackupState(place);
  const last = made
    ? `The last backup is ${lengthSince(made.madeAt, now)} old, ${formatBytes(made.sizeBytes)}`
    : "No backup was made yet";
  const page = { to: "/backups", deed: "Back up now…" };
  if (failed) {
    const message = `The backup failed ${lengthSince(failed.at, now)} ago: ${failed.words}. ${last}.`;
    return { ...attention(message, "Mend that, then press “Back up now” at the desk."), ...page };
  }
  if (!made) return note(`${last}.`, "The running site makes one every night.");
  if (now.getTime() - Date.parse(made.madeAt) < backupLateMs) return ok(`${last}.`);
  const advice = "See whether the site runs at night, or press “Back up now” at the desk.";
  return { ...attention(`${last}, and none was made since.`, advice), ...page };
}

async function checkRestore(db: Stored, place: DatabaseSettings): Promise<Finding[]> {
  const restore = await describeRestore(db, place, shortTorontoTime);
  if (!restore) return [];
  const advice = restore.state === "held" ? "Press “Go on” at the desk." : "";
  return [attention(restore.text, advice)];
}

async function checkWords(db: Stored): Promise<Finding[]> {
  const advice = "Save it again at the desk, under The site's words, or delete the row.";
  return (await findWordFaults(db)).map((fault) => attention(fault, advice));
}
