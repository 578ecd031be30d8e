import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#db/open-database.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { patienceMs } from "#tests/patience.ts";
import { createSceneServer, plainServer } from "#tests/reliability/scene-server.ts";
import { runCommand } from "#tests/site-commands.ts";
import { newFolder } from "#tests/test-folder.ts";
import { hasProgram } from "../../scripts/install-debian-packages.ts";
import { debianPostgres, makeOwnAuthority, startDebianPostgres } from "./debian-postgres.ts";
import { startPgBouncer } from "./pgbouncer.ts";

const addressOf = (...hosts: { port: number }[]) =>
  `postgres://site:secret@${hosts.map(({ port }) => `127.0.0.1:${port}`).join(",")}/postgres`;

async function startSite(databaseUrl: string) {
  const settings = { DATA_DIR: newFolder(), DATABASE_URL: databaseUrl, LOG_LEVEL: "error" };
  const server = createSceneServer({ settings, script: plainServer });
  onTestFinished(() => server.kill());
  await server.start();
  return server.origin ?? "";
}

/** The mailbox that a form was sent with, and what was answered; 0 for no answer. */
async function sendForm(origin: string, name = "send-contact-email") {
  const email = `${randomUUID()}@lopes.example`;
  const sent = fetch(`${origin}/functions/v1/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ firstName: "D", lastName: "R", email, message: "Hello" }),
    signal: AbortSignal.timeout(patienceMs),
  });
  const status = await sent.then(
    (response) => response.status,
    () => 0,
  );
  return { email, status };
}

const statusOf = async (address: string) =>
  await fetch(address).then(
    ({ status }) => status,
    () => 0,
  );

/** Twelve a second, until it is told to stop. */
function sendForms(origin: string) {
  const answers: { email: string; status: number }[] = [];
  const open = new Set<Promise<unknown>>();
  const timer = setInterval(() => {
    const sent = sendForm(origin).then((answer) => answers.push(answer));
    open.add(sent);
    void sent.finally(() => open.delete(sent));
  }, 1000 / 12);
  onTestFinished(() => clearInterval(timer));
  const acknowledged = () => answers.filter(({ status }) => status === 200);
  return {
    acknowledged: () => acknowledged().map(({ email }) => email),
    async untilTaken(more: number) {
      const before = acknowledged().length;
      await expect.poll(() => acknowledged().length).toBeGreaterThan(before + more);
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
    },
  };
}

test.for(["switchOff", "freeze"] as const)(
  "forms are taken again once the standby is promoted, and what was acknowledged is stored: %s",
  async (end, context) => {
    if (!debianPostgres) context.skip();
    const primary = await startDebianPostgres();
    const standby = await primary.startStandby();
    // Nothing is acknowledged that only one of them has.
    await primary.query("alter system set synchronous_standby_names = '*'");
    await primary.query("select pg_reload_conf()");
    const origin = await startSite(addressOf(primary, standby));
    const visitors = sendForms(origin);
    await visitors.untilTaken(12);
    expect(await statusOf(`${origin}/readyz`)).toBe(200);

    await primary[end]();
    await expect.poll(() => statusOf(`${origin}/readyz`)).toBe(503);
    await standby.query("select pg_promote()");
    const promotedAt = performance.now();
    await visitors.untilTaken(0);
    const s = ((performance.now() - promotedAt) / 1000).toFixed(1);
    await context.annotate(`Forms were taken again ${s} s after the promotion.`);
    await visitors.untilTaken(12);
    await expect.poll(() => statusOf(`${origin}/readyz`)).toBe(200);

    await visitors.stop();
    const rows = await standby.query("select email from contact_messages");
    const stored = rows.map(({ email }) => email);
    expect(stored).toEqual(expect.arrayContaining(visitors.acknowledged()));
    expect(new Set(stored).size).toBe(stored.length);
  },
);

test("a site and a command start where the first host of the address is a standby", async (context) => {
  if (!debianPostgres) context.skip();
  const primary = await startDebianPostgres();
  const standby = await primary.startStandby();
  const databaseUrl = addressOf(standby, primary);
  const origin = await startSite(databaseUrl);
  expect(await sendForm(origin)).toMatchObject({ status: 200 });
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: newFolder() };
  const { stdout, exitCode } = await runCommand(["db", "migrate"], { env });
  expect(exitCode, stdout).toBe(0);
  // Issues are read where there is no primary, once the connections to it are known to be cut.
  await primary.switchOff();
  const reading = `${origin}/rest/v1/final_newsletters?select=id`;
  await expect.poll(() => statusOf(reading)).toBe(200);
});

test("the site, its commands and its mail work through PgBouncer in transaction mode, and leave nothing in the sessions", async (context) => {
  if (!debianPostgres || !hasProgram("pgbouncer")) context.skip();
  const server = await startDebianPostgres();
  const pooler = await startPgBouncer(server, { inTurn: true });
  const origin = await startSite(pooler.url);
  const forms = ["send-contact-email", "newsletter-signup"];
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => sendForm(origin, forms[n % 2])),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const env = { DATABASE_URL: pooler.url, DATA_DIR: newFolder() };
  for (const words of [
    ["issues", "list"],
    ["messages", "export"],
    ["db", "migrate"],
  ]) {
    expect(await runCommand(words, { env })).toMatchObject({ exitCode: 0 });
  }
  await expect
    .poll(() => server.query("select from outbox where delivered_at is null"))
    .toHaveLength(0);
  const settings = `select name, setting from pg_settings where name like '%\\_timeout'
    and setting <> reset_val`;
  for (const _ of [1, 2, 3]) expect((await pooler.query(settings)).rows).toEqual([]);
  expect(await server.query("select from pg_locks where locktype = 'advisory'")).toEqual([]);
});

test("in a transaction through PgBouncer a statement that hangs is ended by the server", async (context) => {
  if (!debianPostgres || !hasProgram("pgbouncer")) context.skip();
  const pooler = await startPgBouncer(await startDebianPostgres());
  const open = await openDatabase({ dataDir: "", databaseUrl: pooler.url }, { statementMs: 200 });
  onTestFinished(() => open.close());
  const hanging = open.db.transaction().execute((trx) => sql`select pg_sleep(60)`.execute(trx));
  await expect(hanging).rejects.toThrow("canceling statement due to statement timeout");
});

test("one address with an authority of its own serves the site, its commands and its backup", async (context) => {
  if (!debianPostgres) context.skip();
  const { settings, authority } = makeOwnAuthority();
  const { url } = await startDebianPostgres(settings);
  const databaseUrl = `${url}?sslmode=verify-full&sslrootcert=${authority}`;
  const origin = await startSite(databaseUrl);
  expect(await sendForm(origin)).toMatchObject({ status: 200 });
  const folder = newFolder();
  const env = { PATH: process.env.PATH ?? "", DATABASE_URL: databaseUrl, DATA_DIR: folder };
  const backUp = ["db", "backup", path.join(folder, "copy.dump"), "--force"];
  expect(await runCommand(backUp, { env })).toMatchObject({ exitCode: 0, stderr: "" });
  expect(readdirSync(folder)).toEqual(["copy.dump"]);

  for (const how of ["sslmode=no-verify", "ssl=no-verify", "sslmode=require&uselibpqcompat=true"]) {
    const unchecked = { ...env, DATABASE_URL: `${url}?${how}` };
    expect(await runCommand(backUp, { env: unchecked }), how).toMatchObject({ exitCode: 0 });
  }
  for (const how of ["", "?sslmode=require", "?ssl=true", "?sslmode=verify-full"]) {
    const { stderr } = await runCommand(["issues", "list"], {
      env: { ...env, DATABASE_URL: url + how },
    });
    expect(stderr, how).toContain("put ?sslmode=verify-full&sslrootcert=FILE, its authority's");
  }
});

test("a backup through PgBouncer in transaction mode is refused, and the site's sessions stay as they are", async (context) => {
  if (!debianPostgres || !hasProgram("pgbouncer")) context.skip();
  const server = await startDebianPostgres();
  for (const inTurn of [true, false]) {
    const pooler = await startPgBouncer(server, { inTurn });
    const origin = await startSite(pooler.url);
    const env = { PATH: process.env.PATH ?? "", DATABASE_URL: pooler.url };
    const { exitCode, stderr } = await runCommand(
      ["db", "backup", path.join(newFolder(), "copy")],
      { env },
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain("leads through a pooler");
    expect(await sendForm(origin)).toMatchObject({ status: 200 });
  }
});

describeOnEachDatabase(
  "a server that is newer than pg_dump",
  (database) => {
    test("is named as the reason why there is no backup", async () => {
      const { databaseUrl } = database.settings;
      const folder = newFolder();
      const env = {
        PATH: process.env.PATH ?? "",
        DATABASE_URL: databaseUrl ?? "",
        DATA_DIR: newFolder(),
      };
      const { stderr } = await runCommand(["db", "backup", path.join(folder, "x")], { env });
      expect(stderr).toMatch(/pg_dump here is too old: install|no pg_dump here: apt-get install/);
      expect(readdirSync(folder)).toEqual([]);
    });
  },
  { kinds: ["postgres"] },
);
