import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { listOutbox } from "#tests/list-outbox.ts";
import { mailerForEachTest } from "#tests/mailer-for-each-test.ts";
import { testSite } from "#tests/site-identity.ts";
import { until } from "#tests/until.ts";
import { sendMessage } from "#tests/visitors.ts";
import { createDeliverers } from "./deliverers.ts";
import { createOutboxWorker, defaultBackoff, type OutboxWorker } from "./outbox.ts";

describeOnEachDatabase("what leaves the house", (database) => {
  const mailing = mailerForEachTest();
  let worker: OutboxWorker;

  beforeEach(() => {
    const contactTo = "desk@chalkline.example";
    worker = createOutboxWorker({
      db: database.db,
      deliverers: createDeliverers({ ...mailing, contactTo, site: testSite, webhook: null }),
      log: pino({ level: "silent" }),
      limits: {
        pollMs: 20,
        backoff: { ...defaultBackoff, baseMs: 20, capMs: 20, maxAttempts: 50 },
      },
    });
    worker.start();
  });

  afterEach(() => worker.stop({ deadlineMs: 0 }));

  test("a visitor's address that the mail server can't put in a header is told without a Reply-To", async () => {
    mailing.server.mode = "ascii";
    await sendMessage(database.db, { email: "josé@souza.example" });
    await until(async () => (await listOutbox(database.db, { state: "delivered" })).length === 1);
    const [mail] = mailing.server.received;
    expect(mail?.email.replyTo).toBeUndefined();
    expect(mail?.email.text).toContain("Email: josé@souza.example");
    expect(mail?.email.text).toContain("No reply address could be set");
  });
});
