import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import type { Kysely } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { backUp, backUpIfDue, backupFolder, listBackups } from "#db/backup.ts";
import { askForRestore, isToDo, readRestore } from "#db/restore.ts";
import type { Database, Db } from "#db/tables.ts";
import { createDraft } from "#newsletter/issues/drafts.ts";
import { carryOutDuePlans } from "#newsletter/issues/plans.ts";
import { openStore } from "#newsletter/open-store.ts";
import { eraseMailbox } from "#newsletter/subscribers/person.ts";
import { unsubscribe } from "#newsletter/subscribers/subscribe.ts";
import { checkDatabase } from "#server/health/check-database.ts";
import { configOf } from "#tests/config-of.ts";
import { startMailServer } from "#tests/mail-server.ts";
import { debianPostgres, startDebianPostgres } from "#tests/real-programs/debian-postgres.ts";
import { queueTestSend } from "#tests/sends/queue-test-send.ts";
import { sendingEnvironment } from "#tests/sends/sending-environment.ts";
import { addSubscribers, subscriberAddress } from "#tests/sends/subscribers.ts";
import { runCommand } from "#tests/site-commands.ts";
import { newFolder } from "#tests/test-folder.ts";
import { until } from "#tests/until.ts";
import { sendMessage } from "#tests/visitors.ts";
import { callFunction } from "../call-function.ts";
import { contactMessage } from "../contact-message.ts";
import { endProcess } from "../end-process.ts";
import { createSceneServer, plainServer } from "./scene-server.ts";
import { startVisitors, tracerOf } from "./under-fire.ts";

/** PostgreSQL's programs must be those of its server, so Debian's own is taken. */
const kinds = debianPostgres ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);

async function newSite(kind: (typeof kinds)[number]) {
  const dataDir = path.join(newFolder(), "data");
  const databaseUrl = kind === "postgres" ? (await startDebianPostgres()).url : null;
  const place = { dataDir, databaseUrl, environment: { PATH: process.env.PATH } };
  const store = await openStore(place);
  onTestFinished(() => store.close());
  const env: Record<string, string> = {
    ...{ DATA_DIR: dataDir, PATH: process.env.PATH ?? "" },
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  };
  const run = (...words: string[]) => runCommand(words, { env });
  const deps = {
    db: store.db,
    newsletterWebhookUrl: null,
    wakeOutbox() {},
    clock: () => new Date(),
  };
  let backups = 0;
  /** Each has its own second, and so its own name. */
  async function backUpNow() {
    backups += 1;
    const now = new Date(Date.now() + backups * 1_000);
    const made = await backUp(place, { now, keepDays: 30 });
    if (!made.ok) throw new Error(made.problem);
    return made.name;
  }
  async function askFor(name: string) {
    const file = path.join(backupFolder(place), name);
    const asked = await askForRestore(place, { file, now: new Date() });
    if (!asked.ok) throw new Error(asked.problem);
  }
  /** Every message that the database or a backup of before a restore has, by their tracers. */
  async function storedTracers(): Promise<Set<string>> {
    const rows = await store.db.selectFrom("contact_messages").select("message").execute();
    const found = rows.map(({ message }) => message);
    for (const name of readdirSync(backupFolder(place))) {
      if (!/before-restore.*(?:sqlite|dump)$/.test(name)) continue;
      const file = path.join(backupFolder(place), name);
      if (kind === "postgres") {
        const words = ["--data-only", "--table=contact_messages", "--file=-", file];
        found.push(...execFileSync("pg_restore", words, { encoding: "utf8" }).split("\n"));
        continue;
      }
      const copy = new DatabaseSync(file, { readOnly: true });
      const messages = copy.prepare("select message from contact_messages").all();
      found.push(...messages.map(({ message }) => String(message)));
      copy.close();
    }
    return new Set(found.map(tracerOf));
  }
  return { place, store, db: store.db, env, run, deps, backUpNow, askFor, storedTracers };
}

/** How often a restore is killed, later each time. */
const kills = Number(process.env.KILLS ?? 2);

/** A draft that is published in an hour; returns that hour. */
async function addPlan(db: Db): Promise<Date> {
  const due = new Date(Date.now() + 3_600_000);
  const draft = { title: "Next week", preheader: "", body: "Words." };
  const draft_id = await createDraft(db, { ...draft, now: new Date() });
  const times = { due_at: due.toISOString(), created_at: new Date().toISOString() };
  await db
    .insertInto("plans")
    .values({ draft_id, ...times })
    .execute();
  return due;
}

const restoring = path.join(import.meta.dirname, "restoring-process.ts");

function startRestoring(place: object) {
  const child = spawn(process.execPath, [restoring, JSON.stringify(place)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { child, begun: once(child.stdout, "data"), ended: once(child, "exit") };
}

test.each(kinds)(
  "a night's backup is made once, kept for its days, and says what it holds: %s",
  async (kind) => {
    const { place, db, run } = await newSite(kind);
    await addSubscribers(db, 3);
    await sendMessage(db);
    const now = new Date();
    const said = async () =>
      (await checkDatabase(place, new Date())).find(({ about }) => about === "Backups")?.message;
    expect(await said()).toBe("No backup was made yet.");
    const nightly = { db, place, keepDays: () => 7, dueAt: () => now.getTime() - 60_000 };
    const folder = backupFolder(place);
    mkdirSync(folder, { recursive: true });
    const old = path.join(folder, "site-2026-01-01T083000Z.sqlite");
    writeFileSync(old, "");
    utimesSync(old, new Date("2026-01-01"), new Date("2026-01-01"));

    // A failed backup says its reason, and is tried again an hour later.
    const failing =
      kind === "postgres"
        ? { ...place, environment: { PATH: newFolder() } }
        : { ...place, dataDir: path.join(place.dataDir, "none") };
    expect(await backUpIfDue({ ...nightly, place: failing }, { now })).toMatchObject({ ok: false });
    if (kind === "postgres")
      expect(await said()).toContain("ago: there is no pg_dump here: apt-get");
    expect(await backUpIfDue({ ...nightly, place: failing }, { now })).toBeNull();

    const later = new Date(now.getTime() + 61 * 60_000);
    const [one, other] = await Promise.all([1, 2].map(() => backUpIfDue(nightly, { now: later })));
    expect([one, other].filter(Boolean)).toEqual([{ ok: true, name: expect.any(String) }]);
    expect(await backUpIfDue(nightly, { now: later })).toBeNull();
    const [backup, ...others] = await listBackups(place);
    expect(others).toEqual([]);
    expect(backup).toMatchObject({ isMadeHere: true, isBeforeRestore: false });
    expect(await said()).toMatch(/^The last backup is \d+ s old/);

    const file = path.join(newFolder(), "copy");
    const made = await run("db", "backup", file, "--json");
    expect(made).toMatchObject({ exitCode: 0, stderr: "" });
    expect((await run("db", "backup", file)).exitCode).toBe(2);
    expect(readdirSync(path.dirname(file))).toEqual(["copy"]);
  },
);

test.each(kinds)(
  "a restore that is killed anywhere, while others write, loses nothing that was acknowledged: %s",
  async (kind) => {
    const { place, db, backUpNow, askFor, storedTracers } = await newSite(kind);
    await addSubscribers(db, 300);
    await sendMessage(db, { message: "tracer:early:" });
    const backup = await backUpNow();
    await db.deleteFrom("subscribers").where("id", "=", 300).execute();
    const acknowledged: string[] = [];
    let isWriting = true;
    async function write(visitor: number) {
      for (let turn = 0; isWriting; turn += 1) {
        const tracer = `${visitor}-${turn}`;
        await sendMessage(db, { message: `tracer:${tracer}:`, email: `${tracer}@x.example` }).then(
          () => acknowledged.push(tracer),
          () => {},
        );
        await delay(5);
      }
    }
    const writing = [0, 1].map(write);
    const countSubscribers = async () =>
      (await db.selectFrom("subscribers").select("id").execute()).length;

    await askFor(backup);
    const begunAt = performance.now();
    await startRestoring(place).ended;
    const wholeMs = performance.now() - begunAt;
    for (let turn = 1; turn <= kills; turn += 1) {
      await db.deleteFrom("subscribers").where("id", "=", 300).execute();
      await delay(1_000 - (Date.now() % 1_000));
      await askFor(backup);
      const { child, begun, ended } = startRestoring(place);
      await begun;
      await Promise.race([ended, delay((wholeMs * turn) / kills)]);
      await endProcess(child, "SIGKILL");
      // One or the other, whole; and the next start has the one that was asked for.
      expect([299, 300]).toContain(await countSubscribers());
      await startRestoring(place).ended;
      expect(await readRestore(place)).toMatchObject({
        unread: null,
        before: expect.stringContaining("before-restore"),
      });
      expect(await countSubscribers()).toBe(300);
    }
    isWriting = false;
    await Promise.all(writing);
    const stored = await storedTracers();
    expect(acknowledged.length).toBeGreaterThan(100);
    expect(acknowledged.filter((tracer) => !stored.has(tracer))).toEqual([]);
  },
);

test.each(kinds)(
  "a running site closes its forms for a restore, and mails nobody who left and nothing twice: %s",
  async (kind) => {
    const site = await newSite(kind);
    const { place, db, env, run, deps, backUpNow, storedTracers } = site;
    const mailServer = await startMailServer();
    onTestFinished(() => mailServer.close());
    const settings = {
      ...env,
      ...sendingEnvironment,
      SMTP_URL: mailServer.url,
      CONTACT_TO: "desk@plumbline.example",
    };
    const server = createSceneServer({ settings, script: plainServer });
    const crowd = startVisitors(1, () => server.origin, { pauseMs: 20 });
    onTestFinished(async () => {
      await crowd.stop();
      await server.kill();
    });
    const issueMails = () =>
      mailServer.received.map(({ to }) => to[0] ?? "").filter((to) => to.startsWith("reader-"));
    await addSubscribers(db, 30);
    const plan = await addPlan(db);
    await queueTestSend(db);
    await server.start();
    await until(() => issueMails().length >= 3);
    const backup = await backUpNow();
    await until(() => issueMails().length >= 10);
    const [left, erased] = [subscriberAddress(29), subscriberAddress(28)];
    expect(issueMails()).not.toEqual(expect.arrayContaining([left]));
    await unsubscribe(deps, { email: left });
    await eraseMailbox({ ...deps, now: new Date() }, { email: erased });

    const asked = await run("db", "restore", path.join(backupFolder(place), backup), "--yes");
    expect(asked).toMatchObject({ exitCode: 0, stderr: "" });
    expect(asked.stdout).toContain(backup);
    await until(() => crowd.answers.has("503 refused"));
    // No mail is under way any more: one that a kill interrupts goes again when its lease is over.
    const isBegun = (name: string) => name.includes("before-restore");
    await until(() => readdirSync(backupFolder(place)).some(isBegun));
    await server.kill();
    await server.start();
    await until(async () => !isToDo(await readRestore(place)));
    expect(await readRestore(place)).toMatchObject({ unread: null });
    const mailed = issueMails();
    await crowd.stop();
    const stored = await storedTracers();
    expect(crowd.acknowledged.messages.filter((tracer) => !stored.has(tracer))).toEqual([]);

    // A new message leaves at once. Older mail waits, over another start too, until somebody says go on.
    await server.kill();
    await server.start();
    await callFunction(server.origin ?? "", "send-contact-email", {
      ...contactMessage,
      message: "after the restore",
    });
    await until(() =>
      mailServer.received.some(({ source }) => source.includes("after the restore")),
    );
    const config = configOf(settings);
    const plansDue = () => carryOutDuePlans({ db, config, now: plan });
    expect(await plansDue()).toEqual([]);
    expect(issueMails()).toEqual(mailed);
    expect((await run("doctor")).stdout).toContain("stand still until you say that they go on");
    expect(await run("db", "restore", "--go-on")).toMatchObject({ exitCode: 0 });
    expect(await plansDue()).toHaveLength(1);
    await until(() => issueMails().length >= 28);
    const stayed = Array.from({ length: 28 }, (_, n) => subscriberAddress(n));
    expect(issueMails().toSorted()).toEqual(stayed.toSorted());
    const ids = mailServer.received.map(({ email }) => email.messageId);
    expect(new Set(ids).size).toBe(ids.length);
  },
);

test.each(kinds)(
  "what is no sound backup is refused in words, and nothing is changed: %s",
  async (kind) => {
    const { place, env, run, backUpNow, ...site } = await newSite(kind);
    const db = site.db as unknown as Kysely<
      Database & { kysely_migration: { name: string; timestamp: string } }
    >;
    const migrations = "kysely_migration";
    const whole = path.join(backupFolder(place), await backUpNow());
    await sendMessage(site.db);
    const folder = newFolder();
    const put = (name: string, bytes: string | Buffer) => {
      writeFileSync(path.join(folder, name), bytes);
      return path.join(folder, name);
    };
    const bytes = readFileSync(whole);
    const stranger = path.join(folder, "stranger.sqlite");
    new DatabaseSync(stranger).exec("create table recipes (id integer)");
    const other = put("other", kind === "sqlite" ? "PGDMP" : Buffer.from("SQLite format 3\0"));
    for (const [file, words] of [
      [put("letter.sqlite", "Dear all, ".repeat(20)), "no SQLite file"],
      [
        put("cut", bytes.subarray(0, bytes.length / 3)),
        kind === "sqlite" ? "its end is missing" : "pg_restore",
      ],
      [stranger, kind === "sqlite" ? "no copy of this site" : "a backup of SQLite"],
      [other, kind === "sqlite" ? "PostgreSQL" : "SQLite"],
    ] as const) {
      const refused = await run("db", "restore", file, "--yes");
      expect(refused.exitCode, words).toBe(1);
      expect(refused.stderr).toContain(words);
    }
    expect((await run("db", "restore", "none.sqlite", "--yes")).exitCode).toBe(2);
    expect(readdirSync(backupFolder(place))).toEqual([path.basename(whole)]);

    // The dump of a newer version is known as one when it is read.
    const newer = { name: "2999-01-01T00-00-00-later", timestamp: "" };
    await db.insertInto(migrations).values(newer).execute();
    const beyond = await backUpNow();
    const asked = await askForRestore(place, {
      file: path.join(backupFolder(place), beyond),
      now: new Date(),
    });
    await db.deleteFrom(migrations).where("name", "=", newer.name).execute();
    await startRestoring(place).ended;
    const problem = asked.ok ? (await readRestore(place))?.problem : asked.problem;
    expect(problem).toContain("of a newer version of the program");
    expect(await db.selectFrom("contact_messages").select("id").execute()).toHaveLength(1);

    // Such a database, on which this version doesn't start, gives way to a backup.
    await db.insertInto(migrations).values(newer).execute();
    expect((await run("db", "restore", whole, "--yes")).stderr).toBe("");
    const server = createSceneServer({ settings: env, script: plainServer });
    onTestFinished(() => server.kill());
    await server.start();
    await until(async () => !isToDo(await readRestore(place)));
    expect(await db.selectFrom("contact_messages").select("id").execute()).toEqual([]);
  },
);
