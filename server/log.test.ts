import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { sql } from "kysely";
import { SMTPServer } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import { defaultBackoff } from "#mail/outbox.ts";
import { configOf } from "#tests/config-of.ts";
import { contactMessage } from "#tests/contact-message.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { newFolder } from "#tests/test-folder.ts";
import { until } from "#tests/until.ts";
import { startWebhookReceiver } from "#tests/webhook-receiver.ts";
import { createLog } from "./log.ts";
import { type SiteSource, startServer } from "./start-server.ts";

const secrets = {
  smtpPassword: "smtp-pass-7Kq",
  webhookSecret: Buffer.from("webhook-secret-of-32-bytes-long!").toString("base64"),
  webhookPath: "/hooks/workflow/9f8e7d6c5b4a",
  token: "Zm9yLXRoZS1saW5rLW9mLW9uZS1wZXJzb24tYWxvbmU",
};

const person = {
  ...contactMessage,
  firstName: "Wilhelmina",
  lastName: "Featherstonehaugh",
  email: "wilhelmina.f@personal.example",
  company: "Featherworks",
  phone: "+1 416 555 0177",
  subject: "pricing-information",
  message: "Confidentially, our turnover is nobody's business.",
};

/** Must never appear in a line, whatever went wrong. */
const forbidden = [
  ...Object.values(secrets),
  ...Object.values(person).filter((value) => value !== person.subject),
  "Wilhelmina",
  "wilhelmina",
  "Confidentially",
  "nobody's business",
  "203.0.113",
  "personal.example",
];

/** A mail server that repeats in its refusals what it has been told. */
async function startTellingMailServer() {
  let refused: "login" | "recipient" | "content" = "login";
  const refusal = (what: typeof refused, responseCode: number, words: string) =>
    refused === what ? Object.assign(new Error(words), { responseCode }) : null;
  const server = new SMTPServer({
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    onAuth: ({ username, password }, _session, done) =>
      done(refusal("login", 535, `5.7.8 No: ${username} ${password}`), { user: username }),
    onRcptTo: ({ address }, _session, done) =>
      done(refusal("recipient", 550, `5.1.1 Unknown: ${address}`)),
    async onData(stream, _session, done) {
      const words = (await text(stream)).replace(/\s+/g, " ");
      done(refusal("content", 554, `5.7.1 Spam from ${person.email}: ${words}`));
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://mailer:${secrets.smtpPassword}@127.0.0.1:${port}`,
    refuse(what: typeof refused) {
      refused = what;
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

/** Pages that fail, and quote what was asked of them. */
const brokenSite: SiteSource["createSite"] =
  ({ reportError }) =>
  async (request, origin) => {
    const words = `No page for "${request.url}" and ${person.email} by ${secrets.token}`;
    if (request.url.includes("reported")) {
      reportError(new TypeError(words), origin);
      return new Response("", { status: 500 });
    }
    throw new Error(words);
  };

const soon = { ...defaultBackoff, baseMs: 10, capMs: 10, maxAttempts: 1000 };

describeOnEachDatabase("the log, when everything fails", (database) => {
  test("names requests and deliveries, and neither persons nor secrets", async () => {
    const mail = await startTellingMailServer();
    const hook = await startWebhookReceiver();
    hook.answer = (response) => response.writeHead(500).end(hook.received.at(-1)?.body);
    const folder = newFolder();
    const { databaseUrl, dataDir } = database.settings;
    const config = configOf({
      LOG_LEVEL: "trace",
      DATA_DIR: databaseUrl ? folder : dataDir,
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
      SMTP_URL: mail.url,
      NEWSLETTER_WEBHOOK_URL: new URL(secrets.webhookPath, hook.url).href,
      WEBHOOK_SECRET: `whsec_${secrets.webhookSecret}`,
      TRUSTED_PROXIES: "127.0.0.1",
    });
    const written: string[] = [];
    const log = () => written.join("");
    const destination = { write: (line: string) => void written.push(line) };
    const server = await startServer(
      config,
      createLog({ config, destination }),
      async () => ({ createSite: brokenSite, clientDirectory: null }),
      {
        outboxLimits: { pollMs: 20, backoff: soon, maxRefusals: 1000 },
      },
    );
    onTestFinished(async () => {
      await server.stop();
      await mail.close();
      await hook.close();
    });
    const ask = (target: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${server.port}${target}`, {
        ...init,
        headers: {
          "X-Forwarded-For": "203.0.113.44",
          "User-Agent": person.company,
          ...init.headers,
        },
      });
    const call = (name: string, body: object | string) =>
      ask(`/functions/v1/${name}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
    const logged = (word: string) => until(() => log().includes(word));

    const taken = await call("send-contact-email", person);
    await call("newsletter-signup", {
      email: person.email,
      webhookUrl: `https://${person.company}.example/${person.email}`,
    });
    await call("send-contact-email", { ...person, email: "" });
    await call("send-contact-email", `{"firstName":"${person.firstName}`);
    await call("newsletter-confirm", { token: secrets.token });
    await ask(`/newsletter/${person.email}?name=${person.lastName}`);
    await ask(`/reported/${secrets.token}?to=${encodeURIComponent(person.email)}`);
    await ask(`/rest/v1/${person.firstName}?email=eq.${person.email}`);
    await logged('"reply":"535 5.7.8"');
    mail.refuse("recipient");
    await logged('"reply":"550 5.1.1"');
    mail.refuse("content");
    await logged('"reply":"554 5.7.1"');
    await logged('"statusCode":500');

    const { db } = database;
    const payload = `{"firstName":"${person.firstName}","message":"${person.message}`;
    await db.updateTable("outbox").set({ payload }).where("kind", "=", "contact-email").execute();
    await logged("The payload is not that of a contact-email");
    if (databaseUrl) {
      // PostgreSQL's detail of this is: Failing row contains (…).
      await sql`alter table contact_messages add constraint closed check (id < 0) not valid`.execute(
        db,
      );
    } else await sql`drop table contact_messages`.execute(db);
    expect((await call("send-contact-email", person)).status).toBe(503);
    await logged("A function failed");
    await db.schema.dropTable("outbox").execute();
    await logged("The outbox can't be read");

    for (const word of forbidden) expect(log(), word).not.toContain(word);
    expect(log()).not.toMatch(/[\w.]+@[\w.]*example/);
    if (databaseUrl) expect(log()).not.toContain(new URL(databaseUrl).password);
    // The request's id leads from the answer to the delivery that followed from it.
    const requestId = taken.headers.get("X-Request-Id");
    const lines = log()
      .split("\n")
      .filter((line) => line.includes(requestId ?? "-"))
      .map((line) => JSON.parse(line));
    expect(lines.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(["Function answered", "Request", "Delivery attempt failed"]),
    );
    expect(lines.find(({ msg }) => msg === "Delivery attempt failed")).toMatchObject({
      kind: "contact-email",
      delivery: expect.stringMatching(/^[\w-]{36}$/),
    });
  });
});
