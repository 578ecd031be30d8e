import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { listMessages } from "#contact/messages.ts";
import { type DatabaseSettings, openDatabase } from "#db/open-database.ts";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { listSubscribers } from "#newsletter/list-subscribers.ts";
import { eraseMailbox } from "#newsletter/privacy.ts";
import { listSends } from "#newsletter/sends/sends.ts";
import { unsubscribe } from "#newsletter/subscribe.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { beginTestSends, queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addSubscribers, subscriberAddress } from "#tests/sends/subscribers.ts";
import { newFolder } from "#tests/test-folder.ts";
import { sendMessage } from "#tests/visitors.ts";
import { backUpInto } from "./nightly-backup.ts";
import { restoreDatabase } from "./restore-database.ts";

const now = new Date("2026-11-21T15:00:00.000Z");
const ann = { name: "Ann", created_at: now.toISOString() };
const isDown = async () => false;
const isUp = async () => true;

describeOnEachDatabase("a restore at the terminal", (database) => {
  let settings: DatabaseSettings;
  let file: string;

  /** With a backup in which all three get mail; one has left since, and one was erased. */
  beforeEach(async () => {
    const { db, kind } = database;
    settings =
      kind === "sqlite" ? database.settings : { ...database.settings, dataDir: newFolder() };
    await addSubscribers(db, 3);
    await db.insertInto("desk_people").values(ann).execute();
    await queueTestSend(db);
    await beginTestSends(database.open);
    const made = await backUpInto(settings, { folder: newFolder(), now });
    if (!made.ok) throw new Error(made.why);
    file = made.file;
    const deps = { db, newsletterWebhookUrl: null, wakeOutbox() {}, clock: () => now };
    await unsubscribe(deps, { email: subscriberAddress(0) });
    await eraseMailbox({ ...deps, now }, { email: subscriberAddress(1) });
    await sendMessage(db, { firstName: "Late" });
  });

  const restore = (into = settings) => restoreDatabase(into, { file, now, isSiteUp: isDown });

  async function stored(of = settings) {
    const open = await openDatabase(of);
    const { db } = open;
    const found = {
      messages: (await listMessages(db)).map(({ firstName }) => firstName),
      subscribers: (await listSubscribers(db)).map(({ state }) => state),
      sends: (await listSends(db)).map(({ state }) => state),
      people: (await db.selectFrom("desk_people").select("name").execute()).map(({ name }) => name),
    };
    await open.close();
    return found;
  }

  const carried = {
    messages: [],
    subscribers: ["unsubscribed", "confirmed"],
    sends: ["paused"],
    people: ["Ann"],
  };

  test("is the desk's: beside the running site, without bringing back who left or was erased since", async () => {
    const before = await stored();
    const restored = await restore();
    const done = { isPastKnown: true, erasedAgain: 1, endedAgain: 1, setAside: null };
    expect(restored).toMatchObject({ ok: true, pausedSends: 1, ...done });
    expect(await stored()).toEqual(carried);
    if (!restored.ok) return;
    file = restored.before ?? "";
    expect(await restore()).toMatchObject({ ok: true });
    expect(await stored()).toMatchObject({ ...before, sends: ["paused"] });
  });

  test("where there is no database yet brings back whoever opens the desk, and says what it can't know", async () => {
    const empty = { dataDir: newFolder(), databaseUrl: null };
    expect(await restore(empty)).toMatchObject({
      ...{ ok: true, before: null, setAside: null },
      ...{ isPastKnown: false, endedAgain: 0 },
    });
    const there = ["confirmed", "confirmed", "confirmed"];
    expect(await stored(empty)).toEqual({ ...carried, subscribers: there });
  });

  test("in the place of one that a newer version has brought up to date carries what it can read, or says what to do", async () => {
    await sql`insert into kysely_migration values ('2099-01-01-next', '2099')`.execute(database.db);
    if (database.kind === "postgres")
      return expect(await restore()).toEqual({ ok: false, reason: "newer_here" });
    expect(await restore()).toEqual({ ok: false, reason: "in_use" });
    await database.open.close();
    expect(await restore()).toMatchObject({
      ...{ ok: true, before: null, setAside: expect.stringContaining(".before-restore-") },
      ...{ isPastKnown: true, erasedAgain: 1, endedAgain: 1 },
    });
    expect(await stored()).toEqual(carried);
  });
});

describeOnEachDatabase(
  "a restore over a damaged file",
  (database) => {
    test("that is killed leaves that file, and is done by the next", async () => {
      const { settings, db } = database;
      await db.insertInto("desk_people").values(ann).execute();
      const made = await backUpInto(settings, { folder: newFolder(), now });
      if (!made.ok) throw new Error(made.why);
      await database.open.close();
      const location = path.join(settings.dataDir, sqliteFileName);
      const damaged = readFileSync(location).fill(7, 4_000);
      writeFileSync(location, damaged);
      const script = path.join(import.meta.dirname, "../tests/reliability/killed-restore.ts");
      const options = { settings, file: made.file };
      const killed = spawnSync(process.execPath, [script, JSON.stringify(options)]);
      expect([killed.signal, String(killed.stderr)]).toEqual(["SIGKILL", ""]);
      expect(readFileSync(location)).toEqual(damaged);
      expect(
        await restoreDatabase(settings, { file: made.file, now, isSiteUp: isDown }),
      ).toMatchObject({ ok: true, isPastKnown: false });
      const open = await openDatabase(settings);
      expect(await open.db.selectFrom("desk_people").select("name").execute()).toEqual([
        { name: "Ann" },
      ]);
      await open.close();
    });

    test("sets it aside and says that who left since is not known, and puts it back where the backup is none", async () => {
      const { settings } = database;
      const made = await backUpInto(settings, { folder: newFolder(), now });
      if (!made.ok) throw new Error(made.why);
      await database.open.close();
      const restore = (file: string, isSiteUp = isDown) =>
        restoreDatabase(settings, { file, now, isSiteUp });
      const location = path.join(settings.dataDir, sqliteFileName);
      const damaged = readFileSync(location).fill(7, 4_000);
      writeFileSync(location, damaged);
      const foreign = path.join(newFolder(), "words.sqlite");
      writeFileSync(foreign, "SQLite format 3\0, and these are words.");
      expect(await restore(foreign)).toMatchObject({
        reason: "damaged",
      });
      // A damaged file doesn't say who has it open.
      expect(await restore(made.file, isUp)).toEqual({ ok: false, reason: "in_use" });
      expect(readFileSync(location)).toEqual(damaged);
      expect(await restore(made.file)).toMatchObject({
        ok: true,
        isPastKnown: false,
      });
      const aside = readdirSync(settings.dataDir).filter((name) => name.includes("before-restore"));
      expect(aside).toEqual([expect.stringMatching(/Z$/)]);
      expect(readFileSync(path.join(settings.dataDir, aside[0] ?? ""))).toEqual(damaged);
    });
  },
  { kinds: ["sqlite"] },
);
