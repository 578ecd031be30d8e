import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import pg from "pg";
import pino from "pino";
import { expect, test, vi } from "vitest";
import { describeOnEachDatabase, type TestDatabase } from "#tests/databases.ts";
import { seed } from "../../bench/growth/seed.ts";
import { createBackend } from "../backend.ts";
import { listMessages } from "../contact/list-messages.ts";
import { submitMessage } from "../contact/submit-message.ts";
import { readHeldCounts } from "../counts/stored-counts.ts";
import { confirmSubscription } from "../newsletter/confirm-subscription.ts";
import { findIssue } from "../newsletter/find-issue.ts";
import { listSubscribers } from "../newsletter/list-subscribers.ts";
import { releaseSubscriber } from "../newsletter/release-subscriber.ts";
import { subscribe } from "../newsletter/subscribe.ts";
import { unsubscribe } from "../newsletter/unsubscribe.ts";
import { claimDeliveries } from "../outbox/claim.ts";
import { countOutbox } from "../outbox/list-outbox.ts";
import { eraseMailbox } from "../privacy/erase-mailbox.ts";
import { findMailboxRows } from "../privacy/mailbox-rows.ts";
import { deleteExpired } from "../retention/delete-expired.ts";
import { NodeSqliteSession } from "./node-sqlite-session.ts";

type Sent = { text: string; values: unknown[] };

const tables = ["subscribers", "contact_messages", "outbox", "final_newsletters", "consent_events"];

/** Every statement that a piece of work really sends, with its values. */
async function capture(database: TestDatabase, work: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const spy =
    database.kind === "sqlite"
      ? vi.spyOn(NodeSqliteSession.prototype, "executeQuery")
      : vi.spyOn(pg.Client.prototype, "query");
  try {
    await work();
    for (const [query, values] of spy.mock.calls as unknown[][]) {
      if (typeof query === "string") sent.push({ text: query, values: (values as []) ?? [] });
      else {
        const { sql, parameters, text, values: own } = query as Record<string, unknown>;
        sent.push({
          text: String(sql ?? text),
          values: [...((parameters ?? own ?? values ?? []) as unknown[])],
        });
      }
    }
  } finally {
    spy.mockRestore();
  }
  return sent.filter(({ text }) => /^\s*(select|insert|update|delete|with)\b/i.test(text));
}

/** Steps of the plan that go through a whole table. A look from the newest on ends with its limit. */
async function wholeReads(database: TestDatabase, { text, values }: Sent): Promise<string[]> {
  const named = (step: string) => tables.some((table) => new RegExp(`\\b${table}\\b`).test(step));
  if (database.kind === "sqlite") {
    const connection = new DatabaseSync(database.open.location, { readOnly: true });
    try {
      const steps = connection
        .prepare(`explain query plan ${text}`)
        .all(...(values as SQLInputValue[]))
        .map(({ detail }) => String(detail));
      const endsEarly =
        /\blimit\b/i.test(text) && !steps.some((step) => step.includes("TEMP B-TREE"));
      return endsEarly ? [] : steps.filter((step) => named(step) && step.startsWith("SCAN"));
    } finally {
      connection.close();
    }
  }
  const client = new pg.Client(database.settings.databaseUrl ?? "");
  await client.connect();
  try {
    const { rows } = await client.query(`explain ${text}`, values);
    const steps = rows.map((row) => String(row["QUERY PLAN"]));
    return steps.filter((step) => /Seq Scan/.test(step) && named(step));
  } finally {
    await client.end();
  }
}

describeOnEachDatabase("the plans of what is asked often", (database) => {
  test("go by an index", { timeout: 120_000 }, async () => {
    const { db } = database;
    const now = new Date();
    await seed(database.open, {
      readers: 12_000,
      messages: 12_000,
      issues: 300,
      issueBytes: 3_000,
    });
    if (database.kind === "postgres") {
      const client = new pg.Client(database.settings.databaseUrl ?? "");
      await client.connect();
      await client.query("vacuum analyze");
      await client.end();
    }
    const site = {
      name: "Chalkline",
      url: "https://example.com",
      email: "hello@example.com",
      phone: "+1 416 555 0142",
      streetAddress: "1 Example Street",
      postalCode: "M5V 1A1",
    } as unknown as Parameters<typeof subscribe>[0]["site"];
    const deps = { db, site, newsletterWebhookUrl: null, wakeOutbox() {} };
    const origin = { referrer: null, requestUrl: "https://example.com/", clientAddress: null };
    const reader = await db.selectFrom("subscribers").select(["email", "token"]).limit(1).execute();
    const { email = "", token = "" } = reader[0] ?? {};
    const held = await db
      .selectFrom("subscribers")
      .select("email")
      .where("held_at", "is not", null)
      .executeTakeFirstOrThrow();
    const backend = createBackend({ ...deps, log: pino({ level: "silent" }) });
    const rest = async (query: string) =>
      await backend.fetch(new Request(`https://example.com/rest/v1/final_newsletters?${query}`));
    const message = {
      firstName: "A",
      lastName: "B",
      email,
      company: "",
      phone: "",
      subject: "",
      message: "x",
    };

    const work: Record<string, () => Promise<unknown>> = {
      "a sign-up": () => subscribe(deps, { email: "new@example.com", ...origin }),
      "a sign-up again": () => subscribe(deps, { email, ...origin }),
      "a leaving": () => unsubscribe(deps, { token }),
      "a message": () => submitMessage(deps, message, { idempotencyKey: "k", clientAddress: null }),
      "a claim of the outbox": () =>
        claimDeliveries(db, { kind: "contact-email", limit: 5, claimant: "test", now, leaseMs: 1 }),
      "the newest messages": () => listMessages(db),
      "the held messages": () => listMessages(db, { held: true }),
      "the first subscribers": () => listSubscribers(db),
      "one person's rows": () => findMailboxRows(db, email),
      "the counts of the outbox": () => countOutbox(db),
      "what is held": () => readHeldCounts(db),
      "an issue": () => findIssue(db, 150),
      "a confirmation": () => confirmSubscription(deps, { token }),
      "the release of a held sign-up": () =>
        releaseSubscriber({ ...deps, now }, { email: held.email }),
      "erasing a person": () => eraseMailbox({ ...deps, now }, { email }),
      "the archive's newest, as pages read it": () =>
        rest("select=id,title,publish_date&order=id.desc&limit=30"),
      "a part of the archive": () => rest("select=id,title&id=lt.200&id=gt.100&limit=50"),
      "an issue, as pages read it": () => rest("select=*&id=eq.150&limit=1"),
      "deletion by age": () => deleteExpired(db, now),
    };
    // What no index serves is seen.
    const [unserved] = await capture(database, () =>
      db.selectFrom("contact_messages").select("id").where("company", "=", "x").execute(),
    );
    expect(unserved && (await wholeReads(database, unserved))).toHaveLength(1);

    const found: string[] = [];
    let looked = 0;
    for (const [name, act] of Object.entries(work)) {
      for (const sent of await capture(database, act)) {
        looked += 1;
        for (const step of await wholeReads(database, sent)) {
          found.push(`${name}: ${step.trim()} in ${sent.text.replace(/\s+/g, " ").slice(0, 160)}`);
        }
      }
    }
    expect(looked).toBeGreaterThan(25);
    expect(found).toEqual([]);
  });
});
