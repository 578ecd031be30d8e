import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import pg from "pg";
import pino from "pino";
import { afterEach, expect, test, vi } from "vitest";
import { createBackend } from "#api/backend.ts";
import { countShared } from "#api/limits/shared-counts.ts";
import { listMessages } from "#contact/list-messages.ts";
import { submitMessage } from "#contact/submit-message.ts";
import { claimDeliveries } from "#mail/outbox/claim.ts";
import { enqueue } from "#mail/outbox/enqueue.ts";
import { countOutbox } from "#mail/outbox/list-outbox.ts";
import { defaultOutboxLimits } from "#mail/outbox/outbox-limits.ts";
import { handBack, markDelivered, markFailedAttempt } from "#mail/outbox/settle.ts";
import { undoClockSkew } from "#mail/outbox/undo-clock-skew.ts";
import { confirmAddressChange } from "#newsletter/address-change/confirm-address-change.ts";
import { requestAddressChange } from "#newsletter/address-change/request-address-change.ts";
import { readArchiveVersion } from "#newsletter/archive-version.ts";
import { leaseMailbox } from "#newsletter/bounces/lease-mailbox.ts";
import { createReturnPaths } from "#newsletter/bounces/return-path.ts";
import { confirmSubscription } from "#newsletter/confirm-subscription.ts";
import { findIssue } from "#newsletter/find-issue.ts";
import { createIssueIds } from "#newsletter/issue-ids.ts";
import { listSubscribers } from "#newsletter/list-subscribers.ts";
import { noteUnpreparedIssues } from "#newsletter/note-unprepared-issues.ts";
import { keepPicture, picturePath } from "#newsletter/pictures/keep-pictures.ts";
import { prepareWaitingIssues } from "#newsletter/prepare-waiting-issues.ts";
import { eraseMailbox } from "#newsletter/privacy/erase-mailbox.ts";
import { findMailboxRows } from "#newsletter/privacy/mailbox-rows.ts";
import { recordBounce } from "#newsletter/record-bounce.ts";
import { releaseSubscriber } from "#newsletter/release-subscriber.ts";
import { deleteExpired } from "#newsletter/retention/delete-expired.ts";
import { createIssueSearch } from "#newsletter/search-issues.ts";
import { createAcceptBatcher } from "#newsletter/sends/accept-rows.ts";
import type { Allowance } from "#newsletter/sends/allowance.ts";
import { beginDueSends } from "#newsletter/sends/begin-sends.ts";
import { hasOpenRows } from "#newsletter/sends/earlier-rows.ts";
import { finishSend, withdrawLeftOvers } from "#newsletter/sends/end-sends.ts";
import { findSend } from "#newsletter/sends/find-send.ts";
import { handOver, isAnyDue } from "#newsletter/sends/hand-over.ts";
import { openSends } from "#newsletter/sends/open-sends.ts";
import { newSendKey, queueSend } from "#newsletter/sends/queue-send.ts";
import { defaultSendLimits } from "#newsletter/sends/send-limits.ts";
import { settleRow } from "#newsletter/sends/settle-row.ts";
import { undoClockSkew as undoSendsSkew } from "#newsletter/sends/undo-clock-skew.ts";
import { subscribe } from "#newsletter/subscribe.ts";
import { unsubscribe } from "#newsletter/unsubscribe.ts";
import { saveVisits } from "#server/visits/store/save-visits.ts";
import { describeOnEachDatabase, type TestDatabase } from "#tests/databases.ts";
import { seed } from "../bench/growth/seed.ts";
import { readHeldCounts, readStoredCounts } from "./counts/stored-counts.ts";
import { NodeSqliteSession } from "./node-sqlite-session.ts";

type Sent = { text: string; values: unknown[] };

/** Those that are filled here. */
const grownTables = [
  "subscribers",
  "contact_messages",
  "outbox",
  "final_newsletters",
  "consent_events",
];
/** Small ones PostgreSQL reads whole whatever indexes they have, so it is asked whether it has to. */
const otherTables = [
  "prepared_issues",
  "issues_to_prepare",
  "search_words",
  "daily_visits",
  "sends",
  "send_rows",
  "bounces",
  "address_changes",
  "former_tokens",
  "mail_pauses",
  "rate_limits",
  "pictures",
  "picture_pieces",
  "issue_pictures",
];

/** PostgreSQL weighs an index against the size of the table; SQLite, which gathers no statistics here, goes by the schema. */
const peopleOf = { sqlite: 1_000, postgres: 12_000 };

/** Holds the few sends that were cancelled, and goes through those. */
const ofCancelledSends = "INDEX sends_cancelled";

const names = (step: string, tables: readonly string[]) =>
  tables.some((table) => new RegExp(`\\b${table}\\b`).test(step));

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

/**
 * Steps of the plan that go through a whole table. A limit ends one that goes by an index or from the newest on, and one
 * that takes every row it meets.
 */
async function wholeReads(
  database: TestDatabase,
  client: pg.Client | null,
  { text, values }: Sent,
): Promise<string[]> {
  if (database.kind === "sqlite") {
    const connection = new DatabaseSync(database.open.location, { readOnly: true });
    try {
      const steps = connection
        .prepare(`explain query plan ${text}`)
        .all(...(values as SQLInputValue[]))
        .map(({ detail }) => String(detail));
      const hasLimit =
        /\blimit\b/i.test(text) && !steps.some((step) => step.includes("TEMP B-TREE"));
      const endsEarly = (step: string) =>
        hasLimit && (/ USING .*INDEX /.test(step) || /\border by .*\bdesc\b/is.test(text));
      return steps.filter(
        (step) =>
          step.startsWith("SCAN") &&
          !step.includes(` ${ofCancelledSends}`) &&
          names(step, [...grownTables, ...otherTables]) &&
          !endsEarly(step),
      );
    } finally {
      connection.close();
    }
  }
  if (!client) throw new Error("There is nobody to ask for the plan.");
  const whole = async (tables: readonly string[]) => {
    const { rows } = await client.query(`explain ${text}`, values);
    const steps = rows
      .map((row) => String(row["QUERY PLAN"]))
      .join("\n")
      .split(/^ *->/m);
    const isLimited = steps[0]?.startsWith("Limit");
    return steps
      .filter((step) => step.includes("Seq Scan") && (!isLimited || step.includes(" Filter:")))
      .map((step) => step.split("\n")[0] ?? "")
      .filter((step) => names(step, tables));
  };
  const grown = await whole(grownTables);
  await client.query("set enable_seqscan = off");
  const others = await whole(otherTables);
  await client.query("reset enable_seqscan");
  return [...grown, ...others];
}

/**
 * PostgREST's exact count, which pages and the sitemap ask for: of the titles alone, in the index that has them on SQLite
 * and in a table without bodies on PostgreSQL (which keeps them beside it).
 */
function isCountOfIssues({ text }: Sent, step: string): boolean {
  return (
    /^select count\(\*\) as "total" from "final_newsletters"/.test(text) &&
    (!step.startsWith("SCAN") || step.includes("USING COVERING INDEX"))
  );
}

const query = (word: string) => ({
  groups: [[{ word, isPrefix: true }]],
  combine: "all" as const,
});
const body = { html: "", plainText: "" };

async function confirmedReaders(db: TestDatabase["db"]) {
  const [one, another] = await db
    .selectFrom("subscribers")
    .select(["mailbox_key", "token"])
    .where("confirmed_at", "is not", null)
    .where("unsubscribed_at", "is", null)
    .orderBy("id", "desc")
    .limit(2)
    .execute();
  if (!one || !another) throw new Error("There are no readers.");
  return [one, another] as const;
}

/** A send to all readers, whose rows are there. */
async function beginSend({ db, open }: TestDatabase, now: Date) {
  const mail = { subject: "s", html: "h", text: "t" };
  const issue = { id: 1, title: "t" };
  const sendKey = newSendKey();
  await queueSend(db, { sendKey, issue, audience: "all", mail, beginsAt: now, now });
  const [begun] = await beginDueSends(open, now);
  if (!begun) throw new Error("The send has not begun.");
  return {
    sendId: begun.id,
    claimant: "test",
    now,
    leaseMs: 60_000,
    putOffUntil: () => null,
    allowance: { read: async () => ({ allowed: 10 }), spend() {} } as unknown as Allowance,
  };
}

describeOnEachDatabase("the plans of what is asked often", (database) => {
  let client: pg.Client | null = null;
  afterEach(async () => {
    await client?.end();
  });

  test("go by an index", { timeout: 120_000 }, async () => {
    const { db } = database;
    const now = new Date();
    await seed(database.open, {
      readers: peopleOf[database.kind],
      messages: peopleOf[database.kind],
      issues: 300,
      issueBytes: 3_000,
      prepared: true,
    });
    // Three send the statements that three hundred would, and after each of them there is a rest.
    const unprepared = db.selectFrom("final_newsletters").select("id").orderBy("id").limit(3);
    await db.deleteFrom("prepared_issues").where("issue_id", "in", unprepared).execute();
    await noteUnpreparedIssues(db);
    const { databaseUrl } = database.settings;
    client = databaseUrl ? new pg.Client(databaseUrl) : null;
    if (client) {
      await client.connect();
      await client.query("vacuum analyze");
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
    const rest = async (query: string, headers: Record<string, string> = {}) =>
      await backend.fetch(
        new Request(`https://example.com/rest/v1/final_newsletters?${query}`, { headers }),
      );
    const counted = { Prefer: "count=exact" };
    const heads = "select=id,title,publish_date&order=id.desc";
    const message = {
      firstName: "A",
      lastName: "B",
      email,
      company: "",
      phone: "",
      subject: "",
      message: "x",
    };

    const [other, { mailbox_key: bounced }] = await confirmedReaders(db);
    const bounce = { refusal: { kind: "soft" as const, answer: "452 4.2.2 Mailbox full" } };
    const countedSender = new Map([
      ["a", { count: 1, windowMs: 1_000, further: [{ key: "~b", windowMs: 1_000 }] }],
    ]);
    const picture = { type: "image/png" as const, bytes: Buffer.from("not looked at") };
    await keepPicture(db, { issueId: 1, picture, now });
    const address = picturePath(picture);
    const order = await beginSend(database, now);
    const [handed] = (await handOver(db, { ...order, limit: 1 })).mails;
    if (!handed) throw new Error("Nothing was handed over.");
    const settled = { event: "defer", answer: "451", dueAt: now } as const;
    const claim = { kind: "held-email", limit: 4, claimant: "test", now, leaseMs: 60_000 } as const;
    const payload = { heldAt: now.toISOString(), dueAt: now.toISOString() };
    for (let n = 0; n < 8; n += 1) await enqueue(db, { kind: "held-email", payload, now });
    const { rows: claimed } = await claimDeliveries(db, { ...claim, claimant: "before" });
    const [failed, handedBack, ...delivered] = claimed;
    if (!failed || !handedBack) throw new Error("Nothing was claimed.");
    const accept = createAcceptBatcher(db, {
      clock: () => now,
      semaphore: { inUse: () => 1 },
      connections: 1,
      speed: { rate: Number.POSITIVE_INFINITY },
    });
    const returnPaths = createReturnPaths("bounces@example.com");
    const returned = returnPaths.of(handed);

    const work: Record<string, () => Promise<unknown>> = {
      "a sign-up": () => subscribe(deps, { email: "new@example.com", ...origin }),
      "a sign-up again": () => subscribe(deps, { email, ...origin }),
      "a leaving": () => unsubscribe(deps, { token }),
      "a message": () => submitMessage(deps, message, { idempotencyKey: "k", clientAddress: null }),
      "a claim of the outbox": () => claimDeliveries(db, { ...claim, leaseMs: 1 }),
      "what a clock that was set back has left": () =>
        undoClockSkew(db, { kind: claim.kind, now, limits: defaultOutboxLimits }),
      "deliveries that were made": () => markDelivered(db, delivered, now),
      "a delivery that failed": () =>
        markFailedAttempt(db, failed, { error: new Error("x"), now, retries: defaultOutboxLimits }),
      "a delivery that is handed back": () => handBack(db, [handedBack]),
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
      "the newest and how many there are, as pages and the sitemap ask": () =>
        rest(`${heads}&limit=30`, counted),
      "the rest of them, a page of rows at a time": () =>
        rest(`${heads}&id=lt.250&limit=1000`, counted),
      "how many there are of a part": () => rest(`${heads}&id=gt.10&id=lt.200&limit=1`, counted),
      "the version of the archive": () => readArchiveVersion(db),
      "which issues there are": () => createIssueIds(db).has(1),
      "a part of the archive": () => rest("select=id,title&id=lt.200&id=gt.100&limit=50"),
      "an issue, as pages read it": () => rest("select=*&id=eq.150&limit=1"),
      "deletion by age": () => deleteExpired(db, now),
      "a search": () => createIssueSearch(db).find(query("con")),
      "a search for words that may be misspelt": () =>
        createIssueSearch(db).closestWords("invioce"),
      "issues without words": () => createIssueSearch(db).withoutWords([1, 2, 3]),
      "what a search shows": () => createIssueSearch(db).texts([1, 2, 3]),
      "the counts of senders": async () => {
        if (database.kind === "postgres") await countShared(db, countedSender);
      },
      "a wish for another address": () =>
        requestAddressChange(deps, { token: other.token, email: "moved@example.com" }),
      "the confirmation of another address": async () => {
        const change = await db
          .selectFrom("address_changes")
          .select("token")
          .where("from_mailbox", "=", other.mailbox_key)
          .executeTakeFirstOrThrow();
        return await confirmAddressChange(deps, { token: change.token });
      },
      "a mail that bounced": () =>
        db.transaction().execute((trx) => recordBounce(trx, { ...bounce, mailbox: bounced, now })),
      "the sends under way": () => openSends(db, []),
      "the sends that are due": () => beginDueSends(database.open, now),
      "what is open of other sends of an issue": () =>
        hasOpenRows(db, { issueId: 1, exceptSend: 0 }),
      "what a cancelled send has left": () => withdrawLeftOvers(db, now),
      "what a send's clock that was set back has left": () =>
        undoSendsSkew(db, { now, limits: defaultSendLimits }),
      "whether a mail is due": () => isAnyDue(db, { sendId: order.sendId, now }),
      "a send as it is shown": () => findSend(db, order.sendId),
      "a mail that was taken": () => accept(handed),
      "the mailbox's lease": () => leaseMailbox(db, { now, leaseMs: 60_000 }),
      "whose mail came back": () => returnPaths.find(db, [returned]),
      "the hand-over of a send": () => handOver(db, { ...order, limit: 5 }),
      "the settling of a mail": () => settleRow(db, handed, settled, now),
      "the end of a send": () => finishSend(db, order.sendId, now),
      "the stored counts": () => readStoredCounts(db),
      "the look for issues to prepare": async () =>
        expect(await prepareWaitingIssues(db, async () => ({ ...body, isWhole: true }))).toBe(3),
      "the same at the start": () => noteUnpreparedIssues(db),
      "visits that were counted": () =>
        saveVisits(db, new Map([["2026-11-22", new Map([["page", new Map([["/", 1]])]])]])),
      "a picture": async () => {
        const answer = await backend.fetch(new Request(`https://example.com${address}`));
        await answer.arrayBuffer();
      },
    };
    // What no index serves is seen, and a limit is no excuse.
    for (const unserved of [
      db.selectFrom("contact_messages").select("id").where("company", "=", "x"),
      db.selectFrom("contact_messages").select("id").where("company", "=", "x").limit(1),
      db.selectFrom("bounces").select("id").where("answer", "=", "x"),
    ]) {
      const [sent] = await capture(database, () => unserved.execute());
      expect(sent && (await wholeReads(database, client, sent)), sent?.text).toHaveLength(1);
    }

    const found: string[] = [];
    let looked = 0;
    for (const [name, act] of Object.entries(work)) {
      for (const sent of await capture(database, act)) {
        looked += 1;
        for (const step of await wholeReads(database, client, sent)) {
          if (isCountOfIssues(sent, step)) continue;
          found.push(`${name}: ${step.trim()} in ${sent.text.replace(/\s+/g, " ").slice(0, 160)}`);
        }
      }
    }
    expect(looked).toBeGreaterThan(Object.keys(work).length);
    expect(found).toEqual([]);
  });
});
