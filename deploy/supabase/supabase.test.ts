import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { submissionLimits } from "#api/limits.ts";
import { formEvidenceHeader } from "#contracts/ports.ts";
import type { OpenDatabase } from "#db/database-handle.ts";
import { pendingMigrations } from "#db/migrate.ts";
import { readArchiveVersion } from "#newsletter/archive.ts";
import { listSubscribers } from "#newsletter/list-subscribers.ts";
import { eraseMailbox, findMailboxRows } from "#newsletter/privacy.ts";
import { testFunctions } from "#tests/function-behaviours.ts";
import {
  createProject,
  openSite,
  type Project,
  siteUrlOf,
  startFunctions,
} from "#tests/hosted-project.ts";
import { type MailServer, startMailServer } from "#tests/mail-server.ts";
import { newAddress } from "#tests/new-address.ts";
import { runCommand } from "#tests/site-commands.ts";
import { testSite } from "#tests/site-identity.ts";
import { newFolder } from "#tests/test-folder.ts";
import { buildSupabaseFunctions } from "../../scripts/supabase-functions.ts";

const front = testSite.url;
const secrets = {
  SITE_URL: front,
  SITE_NAME: testSite.name,
  SITE_EMAIL: testSite.email,
  SITE_PHONE: testSite.phone,
  SITE_STREET: testSite.street,
  SITE_POSTAL_CODE: testSite.postalCode,
  CONTACT_TO: "desk@plumbline.example",
  TRUSTED_PROXIES: "192.0.2.1",
};

const message = { firstName: "Dana", lastName: "Reyes", message: "Three evenings a week." };

let mailServer: MailServer;

beforeAll(async () => {
  await buildSupabaseFunctions();
  mailServer = await startMailServer();
});

afterAll(() => mailServer.close());

const linkIn = (text: string | undefined, name: string) =>
  new RegExp(`${front}/newsletter/${name}\\?token=([\\w-]+)`).exec(text ?? "")?.[1] ?? "";

const mailsTo = (address: string) => mailServer.received.filter(({ to }) => to[0] === address);
const mailsFrom = (sender: string) =>
  mailServer.received.filter(({ email }) => email.replyTo?.[0]?.address === sender);

describe("the functions in Deno on a hosted project", () => {
  let project: Project;
  let site: OpenDatabase;
  let functions: Awaited<ReturnType<typeof startFunctions>>;

  beforeAll(async () => {
    project = await createProject(inject("postgresUrl"));
    await project.query(
      `insert into final_newsletters (title, content_markdown, publish_date)
       values ('One', '<p>Ink</p>', '2026-11-16')`,
    );
    functions = await startFunctions(project, { ...secrets, SMTP_URL: mailServer.url });
    await callByTimer();
    site = await openSite(project);
  });

  afterAll(async () => {
    await functions.stop();
    await site.close();
    await project.remove();
  });

  beforeEach(async () => {
    for (const table of ["subscribers", "contact_messages", "outbox", "rate_limits", "mail_pauses"])
      await project.query(`delete from site.${table}`);
  });

  const callByTimer = () => fetch(`${functions.origin}/newsletter-signup`);

  testFunctions(() => ({ ...functions, db: site.db }));

  test("the mail of a sign-up goes out after the answer, and its links confirm and unsubscribe", async () => {
    const email = newAddress();
    await functions.client.invoke("newsletter-signup", { body: { email } });
    await expect.poll(() => mailsTo(email).length).toBe(1);
    const [mail] = mailsTo(email);
    for (const [name, link] of [
      ["newsletter-confirm", "confirm"],
      ["newsletter-unsubscribe", "unsubscribe"],
    ] as const) {
      const body = { token: linkIn(mail?.email.text, link) };
      const { data } = await functions.client.invoke(name, { body });
      expect(data).toMatchObject({ success: true });
    }
    expect(await listSubscribers(site.db)).toMatchObject([{ email, state: "unsubscribed" }]);
  });

  test("what can't be mailed waits, and goes out under the same id when the timer calls", async () => {
    const email = newAddress();
    await mailServer.goDown();
    const sent = await functions.client.invoke("send-contact-email", {
      body: { ...message, email },
    });
    expect(sent.data).toEqual({ success: true });
    const failed = () => project.query("select * from site.outbox where last_error is not null");
    await expect.poll(async () => (await failed()).rowCount).toBe(1);
    const [waiting] = (await failed()).rows;
    await mailServer.comeBack();
    await project.query("update site.outbox set next_attempt_at = '2026'");
    expect((await callByTimer()).status).toBe(200);
    await expect.poll(() => mailsFrom(email).length).toBe(1);
    expect(mailsFrom(email)[0]?.email.messageId).toContain(waiting.delivery_id);
    expect(mailsFrom(email)[0]?.to).toEqual(["desk@plumbline.example"]);
  });

  test("the timer's call deletes what the privacy policy promises to delete", async () => {
    await functions.client.invoke("newsletter-signup", { body: { email: newAddress() } });
    await project.query("update site.subscribers set subscribed_at = '2020-01-01T00:00:00.000Z'");
    await project.query("update site.rate_limits set expire = 1");
    expect((await callByTimer()).status).toBe(200);
    await expect.poll(() => listSubscribers(site.db)).toEqual([]);
    const counts = () => project.query("select from site.rate_limits");
    await expect.poll(async () => (await counts()).rowCount).toBe(0);
  });

  test("a sender past a limit is asked to wait, each visitor behind the site's server alone", async () => {
    const send = async (forwardedFor: string) => {
      const body = JSON.stringify({ ...message, email: newAddress() });
      return await functions.post("send-contact-email", body, { "X-Forwarded-For": forwardedFor });
    };
    await send("203.0.113.50, 192.0.2.1");
    const { count } = submissionLimits.message.perAddress;
    await project.query("update site.rate_limits set points = $1", [count]);
    const refused = await send("203.0.113.50, 192.0.2.1");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await send("203.0.113.51, 192.0.2.1")).status).toBe(200);
    // The header doesn't come from the site's server.
    expect((await send("203.0.113.52, 203.0.113.50")).status).toBe(429);
  });

  test("the operator's commands work on the project, and what they release is mailed by the timer's call", async () => {
    const headers = { [formEvidenceHeader]: "honeypot" };
    const email = newAddress();
    await functions.client.invoke("send-contact-email", { body: { ...message, email }, headers });
    const env = { DATABASE_URL: siteUrlOf(project), DATA_DIR: newFolder() };
    const listed = await runCommand(["messages", "list", "--held", "--json"], { env });
    const { messages } = JSON.parse(listed.stdout);
    expect(messages).toMatchObject([{ email }]);
    const released = await runCommand(["messages", "release", String(messages[0].id)], { env });
    expect(released).toMatchObject({ exitCode: 0 });
    await callByTimer();
    await expect.poll(() => mailsFrom(email).length).toBe(1);
  });

  test.each(["anon", "authenticated"])("%s reads the issues and nothing else", async (role) => {
    async function as(query: string) {
      await project.query(`begin; set local role ${role}`);
      try {
        return (await project.query(query)).rows;
      } finally {
        await project.query("rollback");
      }
    }
    const read = await as("select title, publish_date::text from final_newsletters");
    expect(read).toEqual([{ title: "One", publish_date: "2026-11-16" }]);

    const { rows: tables } = await project.query(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname in ('public', 'site')`,
    );
    const others = tables.filter(({ name }) => name !== "public.final_newsletters");
    expect(others.length).toBeGreaterThanOrEqual(20);
    for (const { name } of others) {
      await expect(as(`select * from ${name}`), name).rejects.toThrow(/permission denied/);
    }
    for (const write of [
      "insert into final_newsletters (title, content_markdown, publish_date) values ('x', 'x', now())",
      "update final_newsletters set title = 'x'",
      "delete from final_newsletters",
      "truncate final_newsletters",
    ]) {
      await expect(as(write), write).rejects.toThrow(/permission denied/);
    }
    // Later tables are not theirs either.
    await project.query("create table if not exists public.made_later (secret text)");
    await expect(as("select * from made_later")).rejects.toThrow(/permission denied/);
    await project.query(
      "create or replace function public.tells_later() returns text language sql as 'select 1'",
    );
    await expect(as("select public.tells_later()")).rejects.toThrow(/permission denied/);
  });

  test("an issue that is inserted or changed at the dashboard changes the archive's version", async () => {
    const versions = [await readArchiveVersion(site.db)];
    for (const statement of [
      `insert into final_newsletters (title, content_markdown, publish_date)
       values ('Two', '<p>Ink</p>', '2026-11-23')`,
      "update final_newsletters set title = 'Twice' where title = 'Two'",
      "delete from final_newsletters where title = 'Twice'",
    ]) {
      await project.query(statement);
      versions.push(await readArchiveVersion(site.db));
    }
    expect(new Set(versions).size).toBe(4);
  });
});

/** The tables of the first hosted functions, which had a sign-up of their own. */
const firstTables = `
  create table public.final_newsletters (
    id bigint generated by default as identity primary key,
    title text not null, content_markdown text not null, publish_date date not null);
  insert into public.final_newsletters (title, content_markdown, publish_date)
    values ('Kept', '<p>Ink</p>', '2026-11-16');
  create schema chalkline;
  create table chalkline.subscribers (
    mailbox text primary key, email text not null, state text not null, token text not null unique,
    consent_text text not null, consent_page text, consent_address text,
    subscribed_at timestamptz not null, confirmed_at timestamptz, unsubscribed_at timestamptz,
    last_mail_at timestamptz);
  create table chalkline.contact_messages (
    id bigint generated by default as identity primary key, first_name text not null,
    last_name text not null, email text not null, company text not null, phone text not null,
    subject text not null, message text not null, submission_key text unique, sender_address text,
    received_at timestamptz not null);
  create table chalkline.outbox (
    delivery_id uuid primary key default gen_random_uuid(), kind text not null,
    payload jsonb not null, created_at timestamptz not null default now(),
    due_at timestamptz not null default now(), attempts integer not null default 0,
    delivered_at timestamptz, last_error text);
  create table chalkline.submission_counts (
    form text not null, sender text not null, began_at timestamptz not null, sent integer not null,
    primary key (form, sender));`;

const tokenOf = (name: string) => name.padEnd(43, "-");

const firstRows = `
  insert into chalkline.subscribers values
    ('waits@lopes.example', 'Waits@lopes.example', 'unconfirmed', '${tokenOf("waits")}',
     'Plumbline may email you', '/newsletter', '203.0.113.7', '2026-11-20T10:00:00.123Z', null, null, now()),
    ('mailed@lopes.example', 'mailed@lopes.example', 'unconfirmed', '${tokenOf("mailed")}',
     'Plumbline may email you', null, null, '2026-11-20T11:00:00Z', null, null, now()),
    ('reads@lopes.example', 'reads@lopes.example', 'confirmed', '${tokenOf("reads")}',
     'Plumbline may email you', '/', null, '2026-11-19T10:00:00Z', '2026-11-19T11:00:00Z', null, now()),
    ('left@lopes.example', 'left@lopes.example', 'unsubscribed', '${tokenOf("left")}',
     'Plumbline may email you', null, null, '2026-11-18T10:00:00Z', '2026-11-18T11:00:00Z',
     '2026-11-21T12:00:00Z', now());
  insert into chalkline.contact_messages
    (first_name, last_name, email, company, phone, subject, message, received_at)
    values ('Dana', 'Reyes', 'D.Reyes+work@Gmail.com', '', '', '', 'Kept', '2026-11-20T10:00:00Z');
  insert into chalkline.outbox (kind, payload) values
    ('confirmation-email', '{"email": "mailed@lopes.example", "token": "${tokenOf("mailed")}"}'),
    ('newsletter-webhook', '{"type": "newsletter.unsubscribed", "timestamp": "2026-11-21T12:00:00Z",
      "data": {"email": "left@lopes.example"}}');`;

test("a project of the first hosted functions keeps its subscribers, messages, issues and waiting mail", async () => {
  const project = await createProject(inject("postgresUrl"), { before: firstTables + firstRows });
  const all = { ...secrets, SMTP_URL: mailServer.url };
  const [functions, others] = await Promise.all([
    startFunctions(project, all),
    startFunctions(project, all),
  ]);
  await Promise.all([functions, others].map(({ origin }) => fetch(origin)));
  const follow = async (name: string, token: string) =>
    (await functions.client.invoke(`newsletter-${name}`, { body: { token: tokenOf(token) } })).data;

  expect(await follow("confirm", "waits")).toMatchObject({ success: true });
  expect(await follow("confirm", "reads")).toMatchObject({ success: true });
  expect(await follow("confirm", "left")).toMatchObject({ reason: "unsubscribed" });
  const site = await openSite(project);
  expect(await listSubscribers(site.db)).toMatchObject([
    { email: "left@lopes.example", unsubscribedAt: "2026-11-21T12:00:00.000Z" },
    { email: "reads@lopes.example", state: "confirmed", confirmedAt: "2026-11-19T11:00:00.000Z" },
    {
      email: "Waits@lopes.example",
      state: "confirmed",
      subscribedAt: "2026-11-20T10:00:00.123Z",
      consentText: "Plumbline may email you",
      consentPage: "/newsletter",
      consentAddress: "203.0.113.7",
    },
    { email: "mailed@lopes.example", state: "unconfirmed" },
  ]);
  expect(await follow("unsubscribe", "reads")).toMatchObject({ success: true });
  const { messages } = await findMailboxRows(site.db, "dreyes@gmail.com");
  expect(messages).toMatchObject([{ email: "D.Reyes+work@Gmail.com", message: "Kept" }]);
  const { deliveries } = await findMailboxRows(site.db, "left@lopes.example");
  expect(deliveries).toMatchObject([{ kind: "newsletter-webhook" }]);
  await expect.poll(() => mailsTo("mailed@lopes.example").length).toBe(1);
  const [mail] = mailsTo("mailed@lopes.example");
  expect(linkIn(mail?.email.text, "confirm")).toBe(tokenOf("mailed"));
  const order = { db: site.db, newsletterWebhookUrl: "https://hooks.example/own", now: new Date() };
  const erasure = await eraseMailbox(order, { email: "mailed@lopes.example" });
  expect(erasure).toMatchObject({ subscriptions: 1, webhookTold: true });
  const { rows } = await project.query("select title from public.final_newsletters");
  expect(rows).toEqual([{ title: "Kept" }]);
  expect(await pendingMigrations(site)).toEqual([]);
  const left = await project.query("select from pg_tables where schemaname = 'chalkline'");
  expect(left.rowCount).toBe(0);

  await functions.stop();
  await others.stop();
  await site.close();
  await project.remove();
});

test("the functions say of each package which version they load, since their runtime has no list", async () => {
  const built = path.join(await buildSupabaseFunctions(), "_shared/functions.js");
  const code = await readFile(built, "utf8");
  const loads = code.matchAll(/(?:^import .* from |\bimport\()"([^".][^"]*)"/gm);
  const loaded = [...loads].flatMap(([, name = ""]) => (name.startsWith("node:") ? [] : name));
  expect(new Set(loaded.map((name) => name.replace(/\d.*/, "")))).toEqual(
    new Set(["npm:pg@", "npm:nodemailer@"]),
  );
});

test("functions without their secrets don't start, and say which are missing", async () => {
  const project = await createProject(inject("postgresUrl"));
  const { SITE_STREET, ...others } = secrets;
  const started = startFunctions(project, { ...others, SITE_PHONE: "no number" });
  await expect(started).rejects.toThrow(/SITE_PHONE must be a telephone number/);
  await expect(startFunctions(project, others)).rejects.toThrow(
    /SITE_STREET is not set\.\s+SMTP_URL is not set\./,
  );
  await project.remove();
});
