import pg from "pg";
import pino from "pino";
import { afterEach, expect, test, vi } from "vitest";
import { describeOnEachDatabase, type TestDatabase } from "#tests/databases.ts";
import { testSite } from "#tests/site-identity.ts";
import { createBackend } from "../backend.ts";

const burst = 100;

function ofTheForms(database: TestDatabase) {
  afterEach(() => vi.restoreAllMocks());

  function start() {
    const backend = createBackend({
      db: database.db,
      log: pino({ level: "silent" }),
      wakeOutbox: () => {},
      newsletterWebhookUrl: "https://hooks.example/own",
      site: testSite,
    });
    const send = async (name: string, body: object, n: number) => {
      const request = new Request(`${testSite.url}/functions/v1/${name}`, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": `form-${n}` },
        body: JSON.stringify(body),
      });
      // Each visitor sends a second one, so that all three limits count.
      const response = await backend.fetch(request, { clientAddress: `203.0.113.${n >> 1}` });
      expect(response.status).toBe(200);
    };
    return {
      signUp: (n: number) => send("newsletter-signup", { email: `reader-${n}@example.com` }, n),
      write: (n: number) =>
        send(
          "send-contact-email",
          { firstName: "A", lastName: "B", email: `${n}@example.com`, message: `Words ${n}` },
          n,
        ),
    };
  }

  /** Each statement is sent when the answer to the one before it has come, so that this counts round trips too. */
  function countStatements() {
    const query = vi.spyOn(pg.Client.prototype, "query");
    return () => query.mock.calls.length;
  }

  const all = (send: (n: number) => Promise<void>, from: number) =>
    Promise.all(Array.from({ length: burst }, (_, n) => send(from + n)));

  test("a burst of sign-ups shares its statements, and none is lost or doubled", async () => {
    const { signUp } = start();
    await signUp(0);
    const statements = countStatements();
    await signUp(1);
    expect(statements()).toBeLessThanOrEqual(6);
    await all(signUp, 2);
    expect(statements() - 6).toBeLessThan(burst / 3);
    const rows = await database.db
      .selectFrom("subscribers")
      .innerJoin("consent_events", "consent_events.mailbox_key", "subscribers.mailbox_key")
      .innerJoin("outbox", "outbox.delivery_id", "subscribers.mail_delivery_id")
      .select("subscribers.email")
      .execute();
    expect(new Set(rows.map(({ email }) => email)).size).toBe(burst + 2);
    expect(rows).toHaveLength(burst + 2);
  });

  test("so does a burst of messages, each with its own mail", async () => {
    const { write } = start();
    await write(0);
    const statements = countStatements();
    await write(1);
    expect(statements()).toBeLessThanOrEqual(5);
    await all(write, 2);
    expect(statements() - 5).toBeLessThan(burst / 3);
    // Sent again, each is a repeat and adds nothing.
    await all(write, 2);
    const messages = await database.db
      .selectFrom("contact_messages")
      .select(["id", "message"])
      .execute();
    const mails = await database.db.selectFrom("outbox").select("payload").execute();
    const mailed = mails.map(({ payload }) => JSON.parse(payload));
    expect(messages).toHaveLength(burst + 2);
    expect(new Map(mailed.map(({ messageId, message }) => [messageId, message]))).toEqual(
      new Map(messages.map(({ id, message }) => [id, message])),
    );
    expect(mailed).toHaveLength(burst + 2);
  });
}

describeOnEachDatabase("round trips of the forms", ofTheForms, { kinds: ["postgres"] });
