import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import pg from "pg";
import { afterEach, expect, inject, test } from "vitest";
import { submitMessage } from "#contact/submit-message.ts";
import { checkConsentChains } from "#newsletter/check-consent-chains.ts";
import { confirmSubscription } from "#newsletter/confirm-subscription.ts";
import { listSubscribers } from "#newsletter/list-subscribers.ts";
import { eraseMailbox } from "#newsletter/privacy/erase-mailbox.ts";
import { subscribe } from "#newsletter/subscribe.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { makeMemoryFolder } from "#tests/memory-folder.ts";
import { testSite } from "#tests/site-identity.ts";
import type { OpenDatabase } from "../database-handle.ts";
import { migrateToLatest } from "../migrate.ts";
import { openDatabase } from "../open-database.ts";
import type { Database } from "../tables.ts";
import { listCopiedTables } from "./copied-tables.ts";
import { type CopyOptions, copyDatabase } from "./copy-database.ts";
import { type Row, readRows } from "./table-rows.ts";

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const now = new Date("2026-11-22T04:00:00.000Z");

describeOnEachDatabase("copying the database to the other kind, from", (database) => {
  /** A new and empty one of the other kind. */
  async function makeTarget(): Promise<OpenDatabase> {
    const target =
      database.kind === "sqlite" ? await makePostgres() : await makeSqlite("chalkline-copy-");
    await migrateToLatest(target);
    return target;
  }

  async function copy(target: OpenDatabase, options: Partial<CopyOptions> = {}) {
    return await copyDatabase({ source: database.open, target, isLast: false, now, ...options });
  }

  const depsOf = (db: Kysely<Database>) => ({
    db,
    site: testSite,
    newsletterWebhookUrl: "https://hooks.example/x",
    wakeOutbox: () => {},
  });

  async function signUp(email: string, db = database.db) {
    const origin = { referrer: "/newsletter", requestUrl: testSite.url, clientAddress: null };
    await subscribe(depsOf(db), { email, ...origin });
  }

  async function write(message: string) {
    const about = { company: "", phone: "", subject: "", firstName: "Zoë", lastName: "“B”" };
    const origin = { idempotencyKey: message, clientAddress: "203.0.113.9" };
    await submitMessage(
      depsOf(database.db),
      { ...about, email: "zoe@example.com", message },
      origin,
    );
  }

  async function publish(title: string) {
    const row = { title, content_markdown: `<p>${title}</p>`, publish_date: "2026-11-21" };
    const { id } = await database.db
      .insertInto("final_newsletters")
      .values(row)
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  }

  async function fill() {
    for (let n = 0; n < 12; n += 1) await signUp(`reader-${n}@example.com`);
    for (const { confirmToken } of (await listSubscribers(database.db)).slice(0, 5)) {
      await confirmSubscription(depsOf(database.db), { token: confirmToken ?? "" });
    }
    for (let n = 0; n < 7; n += 1) await publish(`Issue ${n} — “Ünïcode” 🙂`);
    await write("First\nwith two lines");
    // More than one batch of a table with a key of three texts, which the databases may sort each in its own way.
    await database.db
      .insertInto("daily_visits")
      .values(
        Array.from({ length: 600 }, (_, n) => ({
          day: `2026-11-${10 + (n % 12)}`,
          kind: "page" as const,
          name: `${n % 2 ? "/Ärger-" : "/a_"}${n}`,
          visits: n,
        })),
      )
      .execute();
    await eraseMailbox(
      { ...depsOf(database.db), now: new Date() },
      { email: "reader-11@example.com" },
    );
  }

  async function contents(db: Kysely<Database>, target: OpenDatabase) {
    const sqlite = database.kind === "sqlite" ? database.db : target.db;
    const all: Record<string, Row[]> = {};
    for (const table of await listCopiedTables(sqlite)) {
      all[table.name] = await readRows(db, table, { after: null });
    }
    return all;
  }

  async function expectAlike(target: OpenDatabase) {
    expect(await contents(target.db, target)).toEqual(await contents(database.db, target));
  }

  test("carries everything over, and what is written afterwards goes on from there", async () => {
    await fill();
    const target = await makeTarget();
    const result = await copy(target);
    expect(result).toMatchObject({ ok: true });
    await expectAlike(target);
    expect((await contents(target.db, target)).subscribers).toHaveLength(11);
    expect(await checkConsentChains(target.db)).toEqual(await checkConsentChains(database.db));

    const before = await contents(target.db, target);
    const largest = Math.max(...(before.subscribers ?? []).map(({ id }) => Number(id)));
    await signUp("new@example.com", target.db);
    const added = await target.db
      .selectFrom("subscribers")
      .select("id")
      .where("mailbox_key", "=", "new@example.com")
      .executeTakeFirstOrThrow();
    // The one that was erased had one more, which is never given again.
    expect(added.id).toBeGreaterThan(largest + 1);
  });

  test("carries over, the second time, what was written, changed and removed meanwhile, and no more", async () => {
    await fill();
    const target = await makeTarget();
    await copy(target);
    await signUp("later@example.com");
    await write("Later");
    const [reader] = await listSubscribers(database.db);
    await eraseMailbox({ ...depsOf(database.db), now: new Date() }, { email: reader?.email ?? "" });
    await database.db.deleteFrom("final_newsletters").where("title", "like", "Issue 3%").execute();
    await database.db
      .updateTable("outbox")
      .set({ delivered_at: now.toISOString() })
      .where("kind", "=", "contact-email")
      .execute();
    const result = await copy(target, { isLast: true });
    if (!result.ok) throw new Error(result.reason);
    await expectAlike(target);
    const issues = result.tables.find(({ table }) => table === "final_newsletters");
    expect(issues).toMatchObject({ rows: 6, added: 0, changed: 0, removed: 1 });
    const messages = result.tables.find(({ table }) => table === "contact_messages");
    expect(messages).toMatchObject({ rows: 2, added: 1, changed: 0, removed: 0 });

    const third = await copy(target);
    if (!third.ok) throw new Error(third.reason);
    for (const table of third.tables)
      expect(table).toMatchObject({ added: 0, changed: 0, removed: 0 });
  });

  test("is of one moment while the site goes on writing, and begun again after an interruption", async () => {
    await fill();
    const site = await database.connect();
    const target = await makeTarget();
    let batches = 0;
    const interrupted = copy(target, {
      async onProgress() {
        batches += 1;
        // Its ledger would name a reader that the copy has not got.
        await signUp(`meanwhile-${batches}@example.com`, site.db);
        if (batches === 8) throw new Error("The power went");
      },
    });
    await expect(interrupted).rejects.toThrow("The power went");
    const result = await copy(target, {
      onProgress: () => signUp(`again-${Math.random()}@example.com`, site.db),
    });
    expect(result).toMatchObject({ ok: true });
    expect(await copy(target, { isLast: true })).toMatchObject({ ok: true });
    await expectAlike(target);
  });

  test("keeps the site from writing during the last one, so that nothing is taken and lost", async () => {
    await fill();
    const site = await database.connect();
    const target = await makeTarget();
    let attempt: Promise<unknown> | undefined;
    let isAnswered = false;
    let early = 0;
    const done = await copy(target, {
      isLast: true,
      async onProgress() {
        attempt ??= signUp("waits@example.com", site.db).finally(() => {
          isAnswered = true;
        });
        // Longer than a sign-up takes that nothing keeps waiting.
        await Promise.race([attempt, delay(30)]);
        if (isAnswered) early += 1;
      },
    });
    expect(done).toMatchObject({ ok: true });
    expect(early).toBe(0);
    await attempt;
    expect(await listSubscribers(target.db)).toHaveLength(11);
    expect(await listSubscribers(database.db)).toHaveLength(12);
  });

  test("refuses a target that holds something else, or that a site has written to since", async () => {
    await fill();
    const foreign = await makeTarget();
    await signUp("somebody@example.com", foreign.db);
    expect(await copy(foreign)).toMatchObject({ ok: false, reason: "not_empty" });
    expect(await foreign.db.selectFrom("subscribers").select("email").execute()).toHaveLength(1);

    const target = await makeTarget();
    await copy(target);
    await signUp("somebody@example.com", target.db);
    expect(await copy(target)).toEqual({ ok: false, reason: "used" });
    expect(await target.db.selectFrom("subscribers").select("email").execute()).toHaveLength(12);
  });

  test("refuses a target with other migrations, and one that is another's copy", async () => {
    const older = await makeTarget();
    await sql`delete from kysely_migration where name like '%-first'`.execute(older.db);
    expect(await copy(older)).toEqual({ ok: false, reason: "migrations_differ" });

    const target = await makeTarget();
    await copy(target);
    await sql`update marks set name = 'copy-source:other' where name like 'copy-source:%'`.execute(
      database.db,
    );
    expect(await copy(target)).toEqual({ ok: false, reason: "other_source" });
  });
});

async function makeSqlite(prefix: string): Promise<OpenDatabase> {
  const folder = await makeMemoryFolder(prefix);
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  const open = await openDatabase({ dataDir: join(folder, "data"), databaseUrl: null });
  cleanUps.push(() => open.close());
  return open;
}

async function makePostgres(): Promise<OpenDatabase> {
  const url = new URL(inject("postgresUrl"));
  const name = `test_copy_${randomUUID().replaceAll("-", "")}`;
  url.pathname = name;
  const client = new pg.Client(inject("postgresUrl"));
  await client.connect();
  cleanUps.push(() => client.end());
  await client.query(`create database ${name}`);
  cleanUps.push(() => client.query(`drop database if exists ${name} with (force)`));
  const open = await openDatabase({ dataDir: "", databaseUrl: url.href });
  cleanUps.push(() => open.close());
  return open;
}
