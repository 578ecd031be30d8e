import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startWay } from "#tests/databases/way.ts";
import { patienceMs } from "#tests/patience.ts";
import { createSceneServer, plainServer } from "#tests/reliability/scene-server.ts";
import { runCommand } from "#tests/site-commands.ts";
import { newFolder } from "#tests/test-folder.ts";
import { hasProgram } from "../../scripts/install-debian-packages.ts";
import {
  debianPostgres,
  makeOwnAuthority,
  startDebianPostgres,
  startPgBouncer,
} from "./debian-postgres.ts";

const addressOf = ({ port }: { port: number }) =>
  `postgres://site:secret@127.0.0.1:${port}/postgres`;

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
    const way = await startWay(addressOf(primary));
    const origin = await startSite(way.url);
    const visitors = sendForms(origin);
    await visitors.untilTaken(12);
    expect(await statusOf(`${origin}/readyz`)).toBe(200);

    await primary[end]();
    await expect.poll(() => statusOf(`${origin}/readyz`)).toBe(503);
    await standby.query("select pg_promote()");
    way.leadTo(addressOf(standby));
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

test("the site, its commands and its mail work through PgBouncer in transaction mode, and leave nothing in the sessions", async (context) => {
  if (!debianPostgres || !hasProgram("pgbouncer")) context.skip();
  const server = await startDebianPostgres();
  const pooler = await startPgBouncer(server);
  const origin = await startSite(pooler.url);
  const forms = ["send-contact-email", "newsletter-signup"];
  // On a busy machine some are asked to come back.
  const visit = async (_: unknown, n: number) => {
    let status = 503;
    while (status === 503) ({ status } = await sendForm(origin, forms[n % 2]));
    return status;
  };
  const answers = await Promise.all(Array.from({ length: 40 }, visit));
  expect(new Set(answers)).toEqual(new Set([200]));
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
  for (const _ of [1, 2, 3]) expect(await pooler.query(settings)).toEqual([]);
  expect(await server.query("select from pg_locks where locktype = 'advisory'")).toEqual([]);
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
    expect(stderr, how).toMatch(/certificate|no encryption/);
  }
});

test("a backup through PgBouncer in transaction mode is refused, and the site's sessions stay as they are", async (context) => {
  if (!debianPostgres || !hasProgram("pgbouncer")) context.skip();
  const server = await startDebianPostgres();
  const pooler = await startPgBouncer(server);
  const origin = await startSite(pooler.url);
  const env = { PATH: process.env.PATH ?? "", DATABASE_URL: pooler.url };
  const { exitCode, stderr } = await runCommand(["db", "backup", path.join(newFolder(), "copy")], {
    env,
  });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("leads through a pooler");
  expect(await sendForm(origin)).toMatchObject({ status: 200 });
});
