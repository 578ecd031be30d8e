import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { submitMessage } from "#contact/messages.ts";
import { subscribe } from "#newsletter/subscribe.ts";
import { contactMessage } from "#tests/contact-message.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { type MailServer, startMailServer } from "#tests/mail-server.ts";
import { testSite } from "#tests/site-identity.ts";
import { until } from "#tests/until.ts";
import { startWebhookReceiver, type WebhookReceiver } from "#tests/webhook-receiver.ts";
import { createMailer, type Mailer } from "./create-mailer.ts";
import { createDeliverers } from "./deliverers.ts";
import { createOutboxWorker, defaultBackoff, type OutboxWorker } from "./outbox.ts";
import { listOutbox } from "./outbox-list.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

describeOnEachDatabase("what leaves the house", (database) => {
  let mailServer: MailServer;
  let receiver: WebhookReceiver;
  let mailer: Mailer;
  let worker: OutboxWorker;

  beforeEach(async () => {
    mailServer = await startMailServer();
    receiver = await startWebhookReceiver();
    mailer = createMailer({
      smtpUrl: mailServer.url,
      dataDir: "",
      from: "Chalkline <site@chalkline.example>",
      siteUrl: testSite.url,
    });
    worker = makeWorker({ url: receiver.url, secret });
  });

  afterEach(async () => {
    await worker.stop({ deadlineMs: 0 });
    mailer.close();
    await mailServer.close();
    await receiver.close();
  });

  function makeWorker(webhook: { url: string; secret: string } | null) {
    const contactTo = "desk@chalkline.example";
    return createOutboxWorker({
      db: database.db,
      deliverers: createDeliverers({ mailer, contactTo, site: testSite, webhook }),
      log: pino({ level: "silent" }),
      limits: {
        pollMs: 20,
        backoff: { ...defaultBackoff, baseMs: 20, capMs: 20, maxAttempts: 50 },
      },
    });
  }

  function deps() {
    return {
      db: database.db,
      site: testSite,
      newsletterWebhookUrl: receiver.url,
      wakeOutbox: () => worker.wake(),
    };
  }

  async function signUp() {
    const email = "ana@souza.example";
    await subscribe(deps(), {
      email,
      referrer: null,
      requestUrl: testSite.url,
      clientAddress: null,
    });
  }

  async function allDelivered(count: number) {
    const condition = async () =>
      (await listOutbox(database.db, { state: "delivered" })).length === count;
    await until(condition);
  }

  test("a visitor's address that the mail server can't put in a header is told without a Reply-To", async () => {
    mailServer.mode = "ascii";
    worker.start();
    const message = { ...contactMessage, email: "josé@souza.example" };
    await submitMessage(deps(), message, { idempotencyKey: null, clientAddress: null });
    await allDelivered(1);
    const [mail] = mailServer.received;
    expect(mail?.email.replyTo).toBeUndefined();
    expect(mail?.email.text).toContain("Email: josé@souza.example");
    expect(mail?.email.text).toContain("No reply address could be set");
  });

  test("an event for a webhook that has since been taken away waits for the operator as failed", async () => {
    worker = makeWorker(null);
    worker.start();
    await signUp();
    const failed = () => listOutbox(database.db, { state: "failed" });
    await until(async () => (await failed()).length === 1);
    expect(await failed()).toMatchObject([
      { kind: "newsletter-webhook", lastError: "NEWSLETTER_WEBHOOK_URL is no longer set" },
    ]);
  });
});
