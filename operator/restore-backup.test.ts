import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { sql } from "kysely";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { listMessages } from "#contact/messages.ts";
import { createDraft, saveDraft } from "#newsletter/drafts.ts";
import { listSubscribers } from "#newsletter/list-subscribers.ts";
import { eraseMailbox } from "#newsletter/privacy.ts";
import { handOver } from "#newsletter/sends/recipients.ts";
import { cancelSend, listSends } from "#newsletter/sends/sends.ts";
import { unsubscribe } from "#newsletter/subscribe.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { failOn, isFullDisk } from "#tests/full-disk.ts";
import { beginTestSends, queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addSubscribers, subscriberAddress } from "#tests/sends/subscribers.ts";
import { newFolder } from "#tests/test-folder.ts";
import { sendMessage, signUp } from "#tests/visitors.ts";
import { findBackup, receiveBackup } from "./kept-backups.ts";
import { backUpIfDue, backUpInto, readBackupOutcomes } from "./nightly-backup.ts";
import { listPlans } from "./plans.ts";
import { lookAtBackup } from "./read-backup.ts";
import { restoreBackup } from "./restore-backup.ts";

const night = new Date("2026-11-21T08:40:00.000Z");
const later = new Date("2026-11-21T15:00:00.000Z");

describeOnEachDatabase("a backup", (database) => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });

  async function backUp(now = night): Promise<string> {
    const made = await backUpInto(database.settings, { folder, now });
    if (!made.ok) throw new Error(made.why);
    return made.file;
  }

  const look = (file: string) => lookAtBackup(database.db, file, folder);
  const restore = (file: string) =>
    restoreBackup(database.open, { file, folder, settings: database.settings, now: later });
  const stored = async () => ({
    messages: (await listMessages(database.db)).map(({ firstName }) => firstName).toSorted(),
    subscribers: (await listSubscribers(database.db)).map(
      ({ email, state }) => `${email} ${state}`,
    ),
  });

  test("is restored beside an open database, and what was there can be brought back", async () => {
    const { db } = database;
    await addSubscribers(db, 3);
    await sendMessage(db, { firstName: "Früh\tund \\ früher\n" });
    const file = await backUp();
    const then = await stored();
    await sendMessage(db, { firstName: "Late" });
    await signUp(db, "late@example.com");
    await sql`insert into settings values ('SITE_NAME', 'Late', '2026-11-21')`.execute(db);
    const now = await stored();
    const other = await database.connect();
    expect(await listMessages(other.db)).toHaveLength(2);

    expect(await look(file)).toMatchObject({
      ok: true,
      steps: 0,
      counts: [
        { what: "issues", here: 0, there: 0 },
        { what: "drafts", here: 0, there: 0 },
        { what: "subscribers", here: 3, there: 3 },
        { what: "messages", here: 2, there: 1 },
        { what: "settings", here: 1, there: 0 },
        { what: "words", here: 0, there: 0 },
      ],
    });
    const restored = await restore(file);
    expect(restored).toMatchObject({ ok: true });
    expect(await stored()).toEqual(then);
    expect(await listMessages(other.db)).toHaveLength(1);
    // An id that was used since names nobody else.
    await signUp(db, "new@example.com");
    const [newest] = await listSubscribers(db, { newestFirst: true });
    expect(newest).toMatchObject({ id: 5, email: "new@example.com" });

    if (!restored.ok) return;
    expect(await restore(restored.before ?? "")).toMatchObject({ ok: true });
    expect(await stored()).toEqual(now);
    // Nothing is left at work.
    expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("brings back nobody who left, bounced or was erased since", async () => {
    const { db } = database;
    await addSubscribers(db, 4);
    const file = await backUp();
    const deps = { db, newsletterWebhookUrl: null, wakeOutbox() {}, clock: () => later };
    await unsubscribe(deps, { email: subscriberAddress(0) });
    await eraseMailbox({ ...deps, now: later }, { email: subscriberAddress(1) });
    const bounced = db.updateTable("subscribers").set({ bounced_at: later.toISOString() });
    await bounced.where("email", "=", subscriberAddress(2)).execute();
    await addSubscribers(db, 1, 9);
    await unsubscribe(deps, { email: subscriberAddress(9) });
    expect(await restore(file)).toMatchObject({ ok: true, erasedAgain: 1, endedAgain: 2 });
    expect((await stored()).subscribers).toEqual([
      `${subscriberAddress(0)} unsubscribed`,
      `${subscriberAddress(2)} bounced`,
      `${subscriberAddress(3)} confirmed`,
    ]);
    // Whoever joined and left since isn't in it, and no list may bring them back.
    expect(await db.selectFrom("departures").selectAll().execute()).toHaveLength(1);
  });

  test("mails nothing again by itself: a send waits with what has gone out, and so do mails and plans", async () => {
    const { db } = database;
    await addSubscribers(db, 3);
    await queueTestSend(db);
    await signUp(db, "asked@example.com");
    await sendMessage(db);
    const draft = await createDraft(db, { now: night });
    const plan = { draft_id: draft, due_at: later.toISOString(), created_at: night.toISOString() };
    await db.insertInto("plans").values(plan).execute();
    const file = await backUp();
    await beginTestSends(database.open);
    const rows = db.updateTable("send_rows").where("reader_id", "=", 1);
    await rows.set({ state: "accepted", settled_at: later.toISOString() }).execute();
    await queueTestSend(db, { issueId: 2 });
    await db.deleteFrom("plans").execute();
    const [delivered] = await db.selectFrom("outbox").select("id").orderBy("id").execute();
    const job = db.updateTable("outbox").where("id", "=", delivered?.id ?? 0);
    await job.set({ delivered_at: later.toISOString() }).execute();
    await db
      .deleteFrom("outbox")
      .where("id", "<>", delivered?.id ?? 0)
      .execute();

    expect(await restore(file)).toMatchObject({
      ok: true,
      heldMails: 1,
      pausedSends: 1,
      stoppedPlans: 1,
    });
    const sends = await listSends(db);
    expect(sends).toMatchObject([{ state: "paused", issueId: 1, counts: { accepted: 1 } }]);
    expect(sends[0]?.toGo).toBe(2);
    expect(await db.selectFrom("outbox").select(["delivered_at", "failed_at"]).execute()).toEqual(
      expect.arrayContaining([
        { delivered_at: later.toISOString(), failed_at: null },
        { delivered_at: null, failed_at: later.toISOString() },
      ]),
    );
    expect((await listPlans(db))[0]?.problem).toContain("may have gone out since");
  });

  test("takes no words of a draft from who writes on after it: no version means two texts", async () => {
    const { db } = database;
    const words = { title: "Piers", preheader: "", format: "markdown" } as const;
    const save = (version: number, body: string) =>
      saveDraft(db, { ...words, id: 1, version, body, now: later });
    await createDraft(db, { ...words, body: "First.", now: night, base_version: 1 });
    await createDraft(db, { ...words, body: "As it was.", now: night });
    const file = await backUp();
    // One window is at the second version, when the first comes back and another window writes on.
    expect(await save(1, "Second.")).toMatchObject({ ok: true, draft: { version: 2 } });
    expect(await restore(file)).toMatchObject({ ok: true });
    const [restored, same] = await db.selectFrom("drafts").selectAll().orderBy("id").execute();
    expect(restored).toMatchObject({ body: "First.", version: 3, base_version: 3 });
    expect(same).toMatchObject({ body: "As it was.", version: 1 });
    expect(await save(3, "Another.")).toMatchObject({ ok: true, draft: { version: 4 } });
    expect(await save(2, "Second, and third.")).toMatchObject({ reason: "changed_elsewhere" });
  });

  test("is newer than what is there: whoever came back, and whatever was mailed, by either is so", async () => {
    const { db } = database;
    const deps = { db, newsletterWebhookUrl: null, wakeOutbox() {}, clock: () => night };
    await addSubscribers(db, 4);
    await unsubscribe(deps, { email: subscriberAddress(3) });
    await queueTestSend(db);
    await beginTestSends(database.open);
    const older = await backUp();
    // Comes back by the link of a sign-up.
    const confirmed = { unsubscribed_at: null, confirmed_at: "2026-11-21T09:00:00.000Z" };
    const back = db.updateTable("subscribers").set(confirmed);
    await back.where("email", "=", subscriberAddress(3)).execute();
    await queueTestSend(db, { issueId: 2 });
    const newer = await backUp(new Date("2026-11-21T10:00:00.000Z"));
    expect(await restore(older)).toMatchObject({ ok: true, endedAgain: 0 });
    const accepted = { state: "accepted", settled_at: later.toISOString() } as const;
    await db.updateTable("send_rows").set(accepted).execute();
    const finished = { state: "finished", ended_at: later.toISOString() } as const;
    await db.updateTable("sends").set(finished).execute();

    expect(await restore(newer)).toMatchObject({ ok: true, endedAgain: 0, pausedSends: 1 });
    expect((await stored()).subscribers).toContain(`${subscriberAddress(3)} confirmed`);
    expect(await listSends(db)).toMatchObject([
      { issueId: 2, state: "paused" },
      { issueId: 1, state: "finished", counts: { accepted: 3, waiting: 0 } },
    ]);
  });

  test("is restored with a recipient who came from a cancelled send to the next one since", async () => {
    const { db } = database;
    await addSubscribers(db, 2);
    const first = await queueTestSend(db);
    await beginTestSends(database.open);
    await cancelSend(db, { id: first, now: night });
    const file = await backUp();
    await queueTestSend(db);
    await beginTestSends(database.open);
    expect(await restore(file)).toMatchObject({ ok: true, pausedSends: 1 });
    expect(await listSends(db)).toMatchObject([
      { state: "paused", counts: { waiting: 2 } },
      { state: "cancelled", counts: { withdrawn: 0 } },
    ]);
  });

  test("is restored, and its sends wait, even where the disk is full a moment later", async () => {
    const { db } = database;
    await addSubscribers(db, 1);
    await queueTestSend(db, { beginsAt: new Date("2030-01-01") });
    const file = await backUp();
    const full = db.withPlugin({
      transformQuery({ node }) {
        if (JSON.stringify(node).includes("wal_checkpoint")) throw new Error("disk is full");
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const open = { ...database.open, db: full as typeof db };
    const options = { file, folder, settings: database.settings, now: later };
    expect(await restoreBackup(open, options)).toMatchObject({ ok: true, pausedSends: 1 });
    expect(await listSends(db)).toMatchObject([{ state: "paused" }]);
  });

  test("waits for whoever is writing, and says so where that takes too long", async () => {
    const file = await backUp();
    const locked = { errcode: 5, code: "55P03" };
    let tries = 0;
    const restoreAfter = (failures: number) => {
      tries = 0;
      const withoutTimeouts: typeof database.open.withoutTimeouts = async (work, limits) => {
        tries += 1;
        if (tries <= failures) throw Object.assign(new Error("locked"), locked);
        return await database.open.withoutTimeouts(work, limits);
      };
      const open = { ...database.open, withoutTimeouts };
      return restoreBackup(open, { file, folder, settings: database.settings, now: later });
    };
    expect(await restoreAfter(2)).toMatchObject({ ok: true });
    expect(await restoreAfter(9)).toEqual({ ok: false, reason: "busy" });
    expect(tries).toBe(5);
  });

  test("from elsewhere opens the desk to nobody, and its restore deletes no older backup", async () => {
    const { db } = database;
    const file = await backUp();
    const hostile = new DatabaseSync(file);
    hostile.exec("insert into desk_people values (1, 'Mallory', '2026-11-21')");
    hostile.exec("alter table desk_people rename to moved");
    hostile.exec("alter table moved rename to Desk_People");
    hostile.exec("create table more (id integer primary key)");
    hostile.close();
    const old = path.join(folder, "site-2026-01-01-0330.sqlite");
    copyFileSync(file, old);
    utimesSync(old, new Date("2026-01-01"), new Date("2026-01-01"));
    expect(await restore(file)).toMatchObject({ ok: true });
    expect(await db.selectFrom("desk_people").selectAll().execute()).toEqual([]);
    expect(existsSync(old)).toBe(true);
  });

  function killRestore(file: string, isEarly: boolean) {
    const script = path.join(import.meta.dirname, "../tests/reliability/killed-restore.ts");
    const options = { settings: database.settings, file, folder, isEarly };
    const killed = spawnSync(process.execPath, [script, JSON.stringify(options)]);
    expect([killed.signal, String(killed.stderr)]).toEqual(["SIGKILL", ""]);
  }

  const inAMinute = () => new Date(Date.now() + 60_000);
  const handOverAt = (now: Date) =>
    handOver(database.db, { sendId: 1, claimant: "worker", now, leaseMs: 1_000 });

  test("whose restore is killed in the middle leaves what was there, and is restored a minute later", async () => {
    const { db } = database;
    await addSubscribers(db, 3);
    const file = await backUp();
    await sendMessage(db, { firstName: "Late" });
    const before = await stored();
    killRestore(file, false);
    expect(await stored()).toEqual(before);
    expect(await restore(file)).toEqual({ ok: false, reason: "under_way" });
    vi.useFakeTimers({ toFake: ["Date"], now: inAMinute() });
    onTestFinished(() => void vi.useRealTimers());
    expect(await restore(file)).toMatchObject({ ok: true });
    expect((await stored()).messages).toEqual([]);
  });

  test("whose restore is killed before a row is replaced holds up a send for a minute, and says nothing of it", async () => {
    const { db } = database;
    await addSubscribers(db, 1);
    await queueTestSend(db);
    await beginTestSends(database.open);
    const file = await backUp();
    killRestore(file, true);
    expect(await listSends(db)).toMatchObject([{ state: "sending", pauseReason: null }]);
    expect(await handOverAt(new Date())).toBeNull();
    expect(await handOverAt(inAMinute())).toMatchObject({ email: subscriberAddress(0) });
  });

  test("whose restore finds the disk full changes nothing, and its sends go on at once", async () => {
    const { db } = database;
    await addSubscribers(db, 1);
    await queueTestSend(db);
    await beginTestSends(database.open);
    const file = await backUp();
    await sendMessage(db, { firstName: "Late" });
    const before = await stored();
    const mend = await failOn(database, "insert on sends");
    expect(await restore(file)).toMatchObject({
      reason: "failed",
      why: expect.stringMatching(isFullDisk),
    });
    expect(await stored()).toEqual(before);
    expect(await listSends(db)).toMatchObject([{ state: "sending", pauseReason: null }]);
    expect(await handOverAt(new Date())).toMatchObject({ email: subscriberAddress(0) });
    await mend();
  });

  test("for which the disk has no room is called neither made nor damaged, leaves nothing, and the process goes on", async () => {
    await addSubscribers(database.db, 3_000);
    const file = await backUp();
    const before = await stored();
    const script = path.join(import.meta.dirname, "../tests/reliability/backups-on-a-full-disk.ts");
    const options = JSON.stringify({ settings: database.settings, file, folder });
    // No file may be larger than half of it.
    const blocks = Math.floor(statSync(file).size / 2 / 512);
    const limited = [
      "-c",
      `ulimit -f ${blocks}; exec "$0" "$@"`,
      process.execPath,
      script,
      options,
    ];
    const { stdout, stderr } = spawnSync("sh", limited);
    expect(String(stderr)).toBe("");
    const why = expect.stringMatching(/disk is full|disk I\/O error|EFBIG/);
    expect(JSON.parse(String(stdout))).toMatchObject({
      made: { ok: false, why },
      uploaded: { ok: false, reason: "failed", why },
      looked: { ok: false, reason: "failed", why },
      restored: { ok: false, reason: "failed", why },
    });
    expect(readdirSync(folder)).toEqual([path.basename(file)]);
    expect(await stored()).toEqual(before);
  });

  test("is made twice at once", async () => {
    await addSubscribers(database.db, 3);
    const both = await Promise.all([backUp(), backUp()]);
    expect(both[0]).toBe(both[1]);
    expect(readdirSync(folder)).toEqual([path.basename(both[0])]);
    expect(await look(both[0])).toMatchObject({ ok: true });
  });

  test("that is damaged, another product's, of a newer version or no backup is refused with its reason", async () => {
    const { db } = database;
    await addSubscribers(db, 300);
    await sendMessage(db, { firstName: "Here" });
    const file = await backUp();
    const before = await stored();
    const make = (name: string, content: Buffer | string = readFileSync(file)) => {
      const made = path.join(folder, name);
      writeFileSync(made, content);
      return made;
    };
    const cut = make("site-cut.sqlite");
    truncateSync(cut, 40_000);
    const holed = readFileSync(file);
    holed.fill(7, 20_000, 60_000);
    const foreign = path.join(folder, "site-foreign.sqlite");
    new DatabaseSync(foreign).exec("create table notes (id integer); pragma user_version = 1");
    const newer = make("site-newer.sqlite");
    new DatabaseSync(newer).exec("insert into kysely_migration values ('2099-01-01-next', 'now')");

    expect(await restore(cut)).toMatchObject({ ok: false, reason: "damaged" });
    expect(await restore(make("site-holed.sqlite", holed))).toMatchObject({ reason: "damaged" });
    expect(await look(cut)).toMatchObject({ ok: false, reason: "damaged" });
    expect(await restore(foreign)).toMatchObject({
      reason: "not_ours",
      why: expect.stringContaining("no table contact_messages"),
    });
    expect(await restore(newer)).toMatchObject({
      reason: "newer",
      migrations: ["2099-01-01-next"],
    });
    expect(await restore(make("site-words.sqlite", "Dear all"))).toMatchObject({
      reason: "unknown_kind",
    });
    expect(await restore(path.join(folder, "site-none.sqlite"))).toMatchObject({
      reason: "no_file",
    });
    expect(await stored()).toEqual(before);
  });

  test("is taken as it is uploaded, byte for byte, and nothing else is", async () => {
    const file = await backUp();
    const take = (content: Buffer) =>
      receiveBackup(folder, { bytes: Readable.from([content]), now: later });
    const taken = await take(readFileSync(file));
    expect(taken).toMatchObject({ ok: true, name: "site-2026-11-21-1000-00-uploaded.sqlite" });
    const hash = (name: string) => createHash("sha256").update(readFileSync(name)).digest("hex");
    if (taken.ok) expect(hash(path.join(folder, taken.name))).toBe(hash(file));
    expect(await take(Buffer.from("Dear all"))).toMatchObject({ reason: "unknown_kind" });
    expect(readdirSync(folder)).toHaveLength(2);
    expect(await findBackup(folder, "../chalkline.sqlite")).toBeNull();
  });

  test("is made once a night by the running site, kept for as long as the owner says, and tried again in an hour", async () => {
    const { databaseUrl } = database.settings;
    // The folder of the data, as the site has it.
    const dataDir = database.kind === "sqlite" ? database.settings.dataDir : folder;
    const backups = path.join(dataDir, "backups");
    const site = { db: database.db, config: { dataDir, databaseUrl, backupDays: 2 } };
    const at = async (time: string, backupDays = 2) =>
      (
        await backUpIfDue(
          { ...site, config: { ...site.config, backupDays } },
          { now: new Date(time), holder: "a" },
        )
      ).isDue;
    expect(await at("2026-11-21T08:40:00.000Z", 0)).toBe(false);
    expect(await at("2026-11-21T08:40:00.000Z")).toBe(true);
    expect(readdirSync(backups)).toEqual(["site-2026-11-21-0340.sqlite"]);
    expect((await readBackupOutcomes(database.db)).made).toMatchObject({
      words: "site-2026-11-21-0340.sqlite",
      size_bytes: expect.any(Number),
    });
    expect(await at("2026-11-21T23:00:00.000Z")).toBe(false);
    expect(await at("2026-11-22T08:20:00.000Z")).toBe(false);
    expect(await at("2026-11-22T08:40:00.000Z")).toBe(true);
    const failed = { outcome: "failed" as const, at: "2026-11-23T08:40:00.000Z", words: "full" };
    await database.db.insertInto("backups").values(failed).execute();
    expect(await at("2026-11-23T09:00:00.000Z")).toBe(false);
    expect(await at("2026-11-23T09:40:00.000Z")).toBe(true);
    // Noted while the clock was a year ahead.
    await database.db.updateTable("backups").set({ at: "2027-11-23T08:40:00.000Z" }).execute();
    expect(await at("2026-11-23T10:40:00.000Z")).toBe(true);
    copyFileSync(
      path.join(backups, "site-2026-11-21-0340.sqlite"),
      path.join(backups, "site-x.txt"),
    );
    // Their age is that of the files, which were all made just now.
    expect(await at(new Date(Date.now() + 3 * 86_400_000).toISOString())).toBe(true);
    expect(readdirSync(backups).filter((name) => name.endsWith(".sqlite"))).toHaveLength(1);
    expect(readdirSync(backups)).toContain("site-x.txt");
  });
});
