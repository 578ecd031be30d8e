import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { serve } from "@hono/node-server";
import { createClient, FunctionsHttpError } from "@supabase/supabase-js";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { submissionLimits } from "#api/limits.ts";
import { type MailServer, startMailServer } from "#tests/mail-server.ts";
import { buildSupabaseFunctions } from "../../scripts/supabase-functions.ts";

type Functions = { answer(request: Request): Promise<Response>; close(): Promise<void> };

const database = `supabase_${randomUUID().slice(0, 8)}`;
let admin: pg.Client;
let project: pg.Client;
let mailServer: MailServer;
let bundle: string;
let functions: Functions;
let stop: () => Promise<void>;
let origin: string;

const front = "https://plumbline.example";
/** What the gateway reports: the site's server, and a visitor behind it. */
let forwardedFor = "198.51.100.7, 192.0.2.1";

/** A new project, where both public roles have all rights in `public` by default. */
const newProject = `
  create role anon nologin; create role authenticated nologin;
  grant usage on schema public to anon, authenticated;
  alter default privileges in schema public grant all on tables to anon, authenticated;
  alter default privileges in schema public grant all on sequences to anon, authenticated;
  alter default privileges in schema public grant all on functions to anon, authenticated;
  create table public.somebody_elses (secret text);`;

beforeAll(async () => {
  admin = new pg.Client(inject("postgresUrl"));
  await admin.connect();
  await admin.query("drop role if exists anon; drop role if exists authenticated");
  await admin.query(`create database ${database}`);
  const url = new URL(inject("postgresUrl"));
  url.pathname = database;
  project = new pg.Client(url.href);
  await project.connect();
  await project.query(newProject);
  const migration = path.join(import.meta.dirname, "migrations/20261122000000_chalkline.sql");
  await project.query(await readFile(migration, "utf8"));

  mailServer = await startMailServer();
  // The deployed bundle, not the source.
  bundle = await buildSupabaseFunctions();
  const deployed: { createFunctions(env: Record<string, string>): Functions } = await import(
    /* @vite-ignore */ bundle
  );
  functions = deployed.createFunctions({
    SUPABASE_DB_URL: url.href,
    SITE_URL: front,
    SITE_NAME: "Plumbline",
    SITE_EMAIL: "hello@plumbline.example",
    SITE_PHONE: "+1 416 555 0142",
    SITE_STREET: "1 Example Street",
    SITE_POSTAL_CODE: "M5V 0A0",
    SMTP_URL: mailServer.url,
    CONTACT_TO: "desk@plumbline.example",
    TRUSTED_PROXIES: "192.0.2.1",
  });
  const server = serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const passed = new Request(request);
      passed.headers.set("X-Forwarded-For", forwardedFor);
      return functions.answer(passed);
    },
  });
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stop = () => new Promise((resolve) => server.close(() => resolve()));
});

afterAll(async () => {
  await stop();
  await functions.close();
  await mailServer.close();
  await project.query("drop owned by anon, authenticated");
  await project.end();
  await admin.query(`drop database ${database} with (force)`);
  await admin.query("drop role anon; drop role authenticated");
  await admin.end();
});

const client = () => createClient(origin, "sb_publishable_1").functions;

async function call(name: string, body: Record<string, unknown>, headers = {}) {
  const { data, error } = await client().invoke(name, { body, headers });
  if (!(error instanceof FunctionsHttpError)) return { status: 200, answer: data };
  return { status: error.context.status, answer: await error.context.json() };
}

async function as(role: string, query: string) {
  await project.query(`begin; set local role ${role}`);
  try {
    return (await project.query(query)).rows;
  } finally {
    await project.query("rollback");
  }
}

async function rowsOf(table: string) {
  return (await project.query(`select * from chalkline.${table}`)).rows;
}

const newAddress = () => `${randomUUID()}@lopes.example`;

test("the functions name the version of each package they import, since no list of imports is deployed with them", async () => {
  const imports = (await readFile(bundle, "utf8")).matchAll(/^import .*?"([^"]+)";$/gm);
  const { dependencies } = JSON.parse(
    await readFile(path.join(import.meta.dirname, "../../package.json"), "utf8"),
  );
  const others = [...imports].map(([, from]) => from).filter((from) => !from?.startsWith("node:"));
  expect(others.toSorted()).toEqual([
    `npm:nodemailer@${dependencies.nodemailer}`,
    `npm:nodemailer@${dependencies.nodemailer}/lib/mime-funcs`,
    `npm:pg@${dependencies.pg}`,
  ]);
});

test.each(["anon", "authenticated"])("%s reads the issues and nothing else", async (role) => {
  await project.query("delete from final_newsletters");
  await project.query(
    `insert into final_newsletters (title, content_markdown, publish_date)
     values ('One', '<p>Ink</p>', '2026-11-16')`,
  );
  const read = await as(role, "select title, publish_date::text from final_newsletters");
  expect(read).toEqual([{ title: "One", publish_date: "2026-11-16" }]);

  const tables = await project.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'chalkline')`,
  );
  const others = tables.rows.filter(({ name }) => name !== "public.final_newsletters");
  expect(others.length).toBeGreaterThanOrEqual(5);
  for (const { name } of others) {
    await expect(as(role, `select * from ${name}`), name).rejects.toThrow(/permission denied/);
  }
  for (const write of [
    "insert into final_newsletters (title, content_markdown, publish_date) values ('x', 'x', now())",
    "update final_newsletters set title = 'x'",
    "delete from final_newsletters",
    "truncate final_newsletters",
  ]) {
    await expect(as(role, write), write).rejects.toThrow(/permission denied/);
  }
  // Later tables are not theirs either.
  await project.query("create table if not exists public.made_later (secret text)");
  await expect(as(role, "select * from made_later")).rejects.toThrow(/permission denied/);
  await project.query(
    "create or replace function public.tells_later() returns text language sql as 'select 1'",
  );
  await expect(as(role, "select public.tells_later()")).rejects.toThrow(/permission denied/);
});

test("a sign-up is kept with its proof, mailed, confirmed, and ended by the links in its mail", async () => {
  const email = newAddress();
  const headers = { Referer: `${front}/newsletter?issue=3` };
  const first = await call(
    "newsletter-signup",
    { email, webhookUrl: "https://evil.example" },
    headers,
  );
  expect(first.answer).toMatchObject({ success: true, duplicate: false });
  const [reader] = (await rowsOf("subscribers")).filter((row) => row.email === email);
  expect(reader).toMatchObject({
    state: "unconfirmed",
    consent_page: "/newsletter",
    consent_address: "198.51.100.7",
  });
  expect(reader.consent_text).toContain("Plumbline may email you");

  const again = await call("newsletter-signup", { email: email.toUpperCase() });
  expect(again.answer).toMatchObject({ success: true, duplicate: true });
  const mails = mailServer.received.filter(({ to }) => to[0] === email);
  expect(mails).toHaveLength(1);
  const text = mails[0]?.email.text ?? "";
  const token = (name: string) =>
    new RegExp(`${front}/newsletter/${name}\\?token=([\\w-]+)`).exec(text)?.[1] ?? "";

  expect((await call("newsletter-confirm", { token: "x".repeat(43) })).answer).toMatchObject({
    success: false,
    reason: "unknown_token",
  });
  for (let n = 0; n < 2; n += 1) {
    const confirmed = await call("newsletter-confirm", { token: token("confirm") });
    expect(confirmed.answer).toMatchObject({ success: true });
  }
  for (let n = 0; n < 2; n += 1) {
    const left = await call("newsletter-unsubscribe", {
      token: token("unsubscribe"),
      way: "one_click",
    });
    expect(left.answer).toMatchObject({ success: true });
  }
  expect((await call("newsletter-confirm", { token: token("confirm") })).answer).toMatchObject({
    success: false,
    reason: "unsubscribed",
  });
});

test("a message is kept and mailed once, however often it is sent", async () => {
  const sender = newAddress();
  const message = {
    firstName: "Dana",
    lastName: "Reyes",
    email: sender,
    subject: "automation-inquiry",
    message: "Quotes take three evenings a week.",
  };
  for (let n = 0; n < 2; n += 1) {
    const sent = await call("send-contact-email", message, { "Idempotency-Key": "key-1" });
    expect(sent.answer).toEqual({ success: true });
  }
  const mails = mailServer.received.filter(({ email }) => email.replyTo?.[0]?.address === sender);
  expect(mails).toHaveLength(1);
  expect(mails[0]?.to).toEqual(["desk@plumbline.example"]);
  expect(mails[0]?.email.text).toContain("> Quotes take three evenings a week.");
});

test("what can't be mailed waits, and goes out under the same id", async () => {
  const sender = newAddress();
  const message = { firstName: "D", lastName: "R", email: sender, message: "Later" };
  await mailServer.goDown();
  expect((await call("send-contact-email", message)).answer).toEqual({ success: true });
  const waits = (await rowsOf("outbox")).filter((row) => row.payload.email === sender);
  expect(waits).toMatchObject([
    { delivered_at: null, attempts: 1, last_error: expect.any(String) },
  ]);
  await mailServer.comeBack();
  await project.query("update chalkline.outbox set due_at = now() where delivered_at is null");
  expect((await fetch(`${origin}/functions/v1/send-contact-email`)).status).toBe(200);
  const [sent] = mailServer.received.filter(({ email }) => email.replyTo?.[0]?.address === sender);
  expect(sent?.email.messageId).toContain(waits[0]?.delivery_id);
});

/** With the same answers as the built-in functions, by the same rules (contracts/, api/functions.test.ts). */
test.each([
  ["newsletter-signup", {}, 422, { fields: { email: "email is required." } }],
  ["newsletter-signup", { email: 7 }, 400, { fields: { email: "email must be text." } }],
  ["newsletter-signup", { email: "no address" }, 200, { success: false, duplicate: false }],
  [
    "send-contact-email",
    { firstName: " ", lastName: "R", email: "d@r.example", message: "x" },
    422,
    { fields: { firstName: "First name is required." } },
  ],
  ["no-such-function", {}, 404, { error: "There is no such function." }],
])("%s answers %j with %i", async (name, body, status, answer) => {
  const before = (await rowsOf("outbox")).length;
  expect(await call(name, body)).toMatchObject({ status, answer });
  expect((await rowsOf("outbox")).length).toBe(before);
});

test("a page of another origin may call them, and a body that is no JSON is refused", async () => {
  const address = `${origin}/functions/v1/newsletter-signup`;
  const asked = "authorization,x-client-info,apikey,content-type,x-region";
  const headers = { "Access-Control-Request-Headers": asked };
  const preflight = await fetch(address, { method: "OPTIONS", headers });
  expect(preflight.headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(preflight.headers.get("Access-Control-Allow-Headers")).toBe(asked);
  const json = { "Content-Type": "application/json" };
  expect((await fetch(address, { method: "POST", headers: json, body: "{" })).status).toBe(400);
  expect((await fetch(address, { method: "POST", body: new FormData() })).status).toBe(400);
});

test("senders past a limit are asked to wait, each visitor behind the site's server by themselves", async () => {
  const count = submissionLimits.message.perAddress?.count ?? 0;
  const send = () =>
    call("send-contact-email", {
      firstName: "D",
      lastName: "R",
      email: newAddress(),
      message: "x",
    });
  forwardedFor = "203.0.113.50, 192.0.2.1";
  await send();
  await project.query("update chalkline.submission_counts set sent = $1", [count]);
  expect(await send()).toMatchObject({
    status: 429,
    answer: { error: expect.stringMatching(/^Too many messages/) },
  });
  forwardedFor = "203.0.113.51, 192.0.2.1";
  expect((await send()).status).toBe(200);
  // The header doesn't come from the site's server.
  forwardedFor = "203.0.113.52, 203.0.113.50";
  expect((await send()).status).toBe(429);

  const counted = (await rowsOf("submission_counts")).map(({ sender }) => sender);
  expect(counted.join(" "), "hashes, and neither addresses nor networks").not.toMatch(/[@.]/);
  await project.query(
    "update chalkline.submission_counts set began_at = began_at - interval '61 minutes'",
  );
  await fetch(`${origin}/functions/v1/send-contact-email`);
  expect(await rowsOf("submission_counts")).toEqual([]);
});
