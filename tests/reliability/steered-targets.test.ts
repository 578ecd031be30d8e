import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pino from "pino";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "#server/settings.ts";
import { startServer } from "#server/start-server.ts";
import { startMailServer } from "../mail-server.ts";
import { noSubmissionLimits } from "../no-submission-limits.ts";
import { startWebhookReceiver } from "../webhook-receiver.ts";

const desk = "desk@chalkline.example";
const sender = "site@chalkline.example";
const waitTimeoutMs = 15_000;

/** What these mails may have as headers; anything more was put there by a visitor. */
const knownHeaders = [
  "auto-submitted",
  "content-transfer-encoding",
  "content-type",
  "date",
  "from",
  "list-unsubscribe",
  "list-unsubscribe-post",
  "message-id",
  "mime-version",
  "reply-to",
  "subject",
  "to",
];

/** Attempts to say to whom a mail goes, whom it comes from, or what else is in it. */
const steeringNames = [
  "Eve\r\nBcc: victim@elsewhere.example",
  "Eve\nTo: victim@elsewhere.example",
  "Eve\u2028Bcc: victim@elsewhere.example",
  "Eve\u0085Bcc: victim@elsewhere.example",
  `Eve" <victim@elsewhere.example>, "`,
  "victim@elsewhere.example, Eve",
  "=?utf-8?q?Eve=0D=0ABcc:_victim@elsewhere.example?=",
  "=?utf-8?b?RXZlDQpCY2M6IHZpY3RpbUBlbHNld2hlcmUuZXhhbXBsZQ==?=",
  "Eve <victim@elsewhere.example>",
  "E".repeat(100),
  "\u202eeve",
];
const steeringAddresses = [
  "eve@here.example, victim@elsewhere.example",
  "eve@here.example;victim@elsewhere.example",
  "eve@here.example\r\nBcc: victim@elsewhere.example",
  "eve@here.example\nRCPT TO:<victim@elsewhere.example>",
  "eve@here.example>\u2028RCPT TO:<victim@elsewhere.example>",
  `"eve@elsewhere.example"@here.example`,
  `"eve\r\nBcc: victim@elsewhere.example"@here.example`,
  "victim%elsewhere.example@here.example",
  "<victim@elsewhere.example>@here.example",
  "eve@here.example(victim@elsewhere.example)",
  "@elsewhere.example:eve@here.example",
  "elsewhere.example!victim@here.example",
  "eve@here.example SIZE=1",
  "eve@here.example>\r\nDATA",
];
const steeringMessages = [
  "Hello\r\n.\r\nMAIL FROM:<eve@here.example>\r\nRCPT TO:<victim@elsewhere.example>\r\nDATA\r\nSubject: smuggled\r\n\r\nsmuggled\r\n.\r\n",
  "Hello\n.\nMAIL FROM:<eve@here.example>\nRCPT TO:<victim@elsewhere.example>\nDATA\nSubject: smuggled\n\nsmuggled\n.\n",
  "Hello\r.\rMAIL FROM:<eve@here.example>\r",
  "Hello\n.\r\nRSET\r\nMAIL FROM:<eve@here.example>\r\n",
  "Bcc: victim@elsewhere.example\r\n\r\nHello",
  "--boundary\r\nContent-Type: text/html\r\n\r\n<script>alert(1)</script>",
];

async function start() {
  const dataDir = mkdtempSync(path.join(tmpdir(), "chalkline-steered-"));
  const [mail, hook, visitorsHook] = await Promise.all([
    startMailServer(),
    startWebhookReceiver(),
    startWebhookReceiver(),
  ]);
  const read = readConfig({
    PORT: "0",
    HOST: "127.0.0.1",
    DATA_DIR: dataDir,
    SMTP_URL: mail.url,
    MAIL_FROM: sender,
    CONTACT_TO: desk,
    NEWSLETTER_WEBHOOK_URL: hook.url,
  });
  if (!read.ok) throw new Error(read.mistakes.join("\n"));
  const server = await startServer(
    read.config,
    pino({ level: "silent" }),
    async () => ({ createSite: () => async () => new Response(""), clientDirectory: null }),
    { submissionLimits: noSubmissionLimits, outboxLimits: { pollMs: 50, paces: {} } },
  );
  onTestFinished(async () => {
    await server.stop();
    await Promise.all([mail.close(), hook.close(), visitorsHook.close()]);
    rmSync(dataDir, { recursive: true, force: true });
  });
  /** Whether the function took it. */
  async function call(name: string, body: object, headers: Record<string, string> = {}) {
    const response = await fetch(`http://127.0.0.1:${server.port}/functions/v1/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { success?: boolean }).success === true;
  }
  return { mail, hook, visitorsHook, call };
}

/** Waits until so many have come, and a moment longer for one too many. */
async function arrived(received: unknown[], count: number): Promise<void> {
  const deadline = performance.now() + waitTimeoutMs;
  while (received.length < count && performance.now() < deadline) await delay(20);
  await delay(300);
  expect(received).toHaveLength(count);
}

function expectOwnHeaders(mail: Awaited<ReturnType<typeof start>>["mail"]) {
  for (const { from, email } of mail.received) {
    expect(from).toBe(sender);
    expect(email.from?.address).toBe(sender);
    const names = email.headers.map(({ key }) => key);
    expect(names.filter((name) => !knownHeaders.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    expect(email.cc ?? []).toEqual([]);
    expect(email.bcc ?? []).toEqual([]);
  }
}

test("no field of the contact form says where its mail goes, whom it is from or what headers it has", async () => {
  const { mail, call } = await start();
  const plain = {
    firstName: "Eve",
    lastName: "Visitor",
    email: "eve@here.example",
    message: "Hello",
  };
  const attempts = [
    ...steeringNames.flatMap((name) => [
      { ...plain, firstName: name },
      { ...plain, lastName: name, subject: name, company: name, phone: name },
    ]),
    ...steeringAddresses.map((email) => ({ ...plain, email })),
    ...steeringMessages.map((message) => ({ ...plain, message })),
    {
      ...plain,
      to: "victim@elsewhere.example",
      bcc: "victim@elsewhere.example",
      from: "eve@here.example",
    },
  ];
  let taken = 0;
  for (const attempt of attempts) if (await call("send-contact-email", attempt)) taken += 1;
  expect(taken).toBeGreaterThan(attempts.length / 3);
  await arrived(mail.received, taken);

  expectOwnHeaders(mail);
  for (const { to, email } of mail.received) {
    expect(to).toEqual([desk]);
    expect(email.to?.map(({ address }) => address)).toEqual([desk]);
    // A reply goes to the one address that the visitor gave, or to nobody.
    const replies = email.replyTo?.map(({ address }) => address) ?? [];
    expect(replies.length).toBeLessThanOrEqual(1);
    for (const address of replies) expect(address).toMatch(/^[^\s,;<>"@]+@here\.example$/);
    expect(email.attachments).toEqual([]);
  }
  // What was smuggled stands in the mail as words.
  const smuggled = mail.received.filter(({ email }) => email.text?.includes("Subject: smuggled"));
  expect(smuggled).toHaveLength(2);
});

test("a sign-up has no mail sent but to the one address that it names", async () => {
  const { mail, call } = await start();
  const taken: string[] = [];
  for (const email of [...steeringAddresses, ...steeringNames, "eve@here.example"]) {
    if (await call("newsletter-signup", { email })) taken.push(email.trim());
  }
  expect(taken).toContain("eve@here.example");
  await arrived(mail.received, taken.length);
  expectOwnHeaders(mail);
  for (const { to, email } of mail.received) {
    expect(to).toHaveLength(1);
    expect(taken).toContain(to[0]);
    expect(email.to?.map(({ address }) => address)).toEqual(to);
  }
  expect(
    mail.received.flatMap(({ to }) => to).filter((to) => to.endsWith("@elsewhere.example")),
  ).toEqual([]);
});
