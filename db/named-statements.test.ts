import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, type TestContext, test, vi } from "vitest";
import { submitMessage } from "#contact/submit-message.ts";
import { loadLocked, lockFreeMailboxes } from "#newsletter/load-subscriber.ts";
import { subscribe } from "#newsletter/subscribe.ts";
import { describeOnEachDatabase, type TestDatabase } from "#tests/databases.ts";
import { freePort } from "#tests/free-port.ts";
import { testSite } from "#tests/site-identity.ts";
import { hasProgram } from "../scripts/install-debian-packages.ts";
import type { OpenDatabase } from "./database-handle.ts";
import { withNames } from "./named-statements.ts";
import { openDatabase } from "./open-database.ts";

const burst = 40;
const rounds = 8;
/** After five times PostgreSQL may keep a plan for whatever values come. */
const timesUntilKept = 7;

function ofNames(database: TestDatabase) {
  const signUp = ({ db }: OpenDatabase, email: string) =>
    subscribe(
      { db, site: testSite, newsletterWebhookUrl: "https://hooks.example/own", wakeOutbox() {} },
      { email, referrer: null, requestUrl: testSite.url, clientAddress: null },
    );
  const write = ({ db }: OpenDatabase, idempotencyKey: string) =>
    submitMessage(
      { db, wakeOutbox() {} },
      {
        firstName: "Ana",
        lastName: "Souza",
        email: "ana@example.com",
        company: "",
        phone: "",
        subject: "",
        message: `Words ${idempotencyKey}`,
      },
      { idempotencyKey, clientAddress: null },
    );

  /** Bursts through several openings at once, as copies of the server have them. */
  async function fillThrough(copies: readonly OpenDatabase[]) {
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(
        copies.flatMap((copy, nth) =>
          Array.from({ length: burst }, (_, n) => `${nth}-${round}-${n}`).flatMap((id) => [
            signUp(copy, `reader-${id}@example.com`),
            write(copy, id),
          ]),
        ),
      );
    }
    // A sign-up has its mail and its event for the webhook, a message its mail.
    const all = copies.length * rounds * burst;
    const { rows } = await sql<{
      readers: number;
      entries: number;
      messages: number;
      mails: number;
    }>`
      select (select count(*) from subscribers) as readers, (select count(*) from consent_events) as entries,
        (select count(*) from contact_messages) as messages, (select count(*) from outbox) as mails`.execute(
      database.db,
    );
    expect(rows).toEqual([{ readers: all, entries: all, messages: all, mails: 3 * all }]);
  }

  function namesSent() {
    const query = vi.spyOn(pg.Client.prototype, "query");
    onTestFinished(() => query.mockRestore());
    return () =>
      query.mock.calls.filter(([config]) => typeof config === "object" && "name" in config).length;
  }

  test("a plan that is kept from small tables reads none of them whole", async () => {
    const { open } = database;
    await signUp(open, "first@example.com");
    await sql`analyze`.execute(database.db);
    const plan = await database.db.transaction().execute(async (trx) => {
      withNames(trx);
      for (let time = 0; time < timesUntilKept; time += 1) {
        const mailbox = `reader-${time}@example.com`;
        await lockFreeMailboxes(trx, [mailbox]);
        await loadLocked(trx, [{ mailbox, now: new Date() }]);
      }
      const { rows: kept } = await sql<{ name: string }>`
        select name from pg_prepared_statements
        where statement like '%json_array_elements%' and generic_plans > 0`.execute(trx);
      const [statement] = kept;
      if (!statement) throw new Error("No plan was kept.");
      const { rows } = await sql<{ "QUERY PLAN": string }>`
        ${sql.raw(`explain (costs off) execute ${statement.name}('[]')`)}`.execute(trx);
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    });
    expect(plan).toContain("subscribers");
    expect(plan).not.toContain("Seq Scan");
  });

  test("what is often sent goes by name", async () => {
    const names = namesSent();
    await fillThrough([database.open]);
    expect(names()).toBeGreaterThan(0);
  });

  test("nothing does where the address says that a pooler is in between", async () => {
    const url = new URL(database.settings.databaseUrl ?? "");
    url.searchParams.set("pgbouncer", "true");
    const names = namesSent();
    await fillThrough([await openThrough(url.href)]);
    expect(names()).toBe(0);
  });

  test("a pooler that gives each transaction another connection loses no write", async (context) => {
    const url = await startPooler(context, database);
    const names = namesSent();
    const copies = [await openThrough(url), await openThrough(url)];
    await fillThrough(copies);
    const before = names();
    await Promise.all(
      copies.map((copy) => signUp(copy, `later-${copies.indexOf(copy)}@example.com`)),
    );
    expect(before).toBeGreaterThan(0);
    expect(names()).toBe(before);
  });
}

async function openThrough(databaseUrl: string): Promise<OpenDatabase> {
  const open = await openDatabase({ dataDir: "", databaseUrl });
  onTestFinished(() => open.close());
  return open;
}

/** PgBouncer in transaction mode, before it knew of statements by name or with that turned off. */
async function startPooler(context: TestContext, database: TestDatabase): Promise<string> {
  if (!hasProgram("pgbouncer")) context.skip();
  const url = new URL(database.settings.databaseUrl ?? "");
  const folder = await mkdtemp(join(tmpdir(), "chalkline-pgbouncer-"));
  const port = await freePort();
  const settings = join(folder, "pgbouncer.ini");
  await writeFile(
    settings,
    `[databases]
* = host=${url.hostname} port=${url.port} user=${url.username} password=${url.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
${knowsNames() ? "max_prepared_statements = 0" : ""}
default_pool_size = 3
`,
  );
  // It refuses to run as root.
  const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  const runAs = process.getuid?.() === 0 ? { uid: id("-u"), gid: id("-g") } : {};
  if (runAs.uid !== undefined) {
    for (const each of [folder, settings]) await chown(each, runAs.uid, runAs.gid);
  }
  const child = spawn("pgbouncer", [settings], { ...runAs, stdio: "ignore" });
  onTestFinished(async () => {
    await stop(child);
    await rm(folder, { recursive: true, force: true });
  });
  const pooled = new URL(url);
  pooled.port = String(port);
  await untilReached(pooled.href);
  return pooled.href;
}

/** Since its version 1.21, unless it is told not to. */
function knowsNames(): boolean {
  const said = execFileSync("pgbouncer", ["--version"], { encoding: "utf8" });
  const [, major, minor] = /(\d+)\.(\d+)/.exec(said) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

async function untilReached(url: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const client = new pg.Client(url);
    client.on("error", () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (attempt === 100) throw error;
      await delay(50);
    }
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once("exit", () => resolve());
  child.kill("SIGINT");
  setTimeout(() => child.kill("SIGKILL"), 3_000).unref();
  await promise;
}

describeOnEachDatabase("statements by name", ofNames, { kinds: ["postgres"] });
