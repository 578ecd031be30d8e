import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { type MailServer, startMailServer } from "../mail-server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../webhook-receiver.ts";
import { type Acknowledged, address, startVisitors } from "./under-fire.ts";

const kills = 100;
const visitors = 4;
/** A life ends after so many answers at the most, and some way into the work on the next. */
const mostAnswersALife = 8;
const longestLastBreathMs = 60;
const answersTimeoutMs = 10_000;
const drainTimeoutMs = 90_000;

const dataDir = mkdtempSync(path.join(tmpdir(), "chalkline-kills-"));

test(`${kills} kills under a stream of messages and sign-ups lose nothing that was acknowledged`, {
  timeout: 8 * 60_000,
}, async () => {
  const mail = await startMailServer();
  const hook = await startWebhookReceiver();
  const port = await freePort();
  let isUp = false;
  const crowd = startVisitors(visitors, () => (isUp ? `http://127.0.0.1:${port}` : null));
  const weather = startBadWeather(mail, hook);
  onTestFinished(async () => {
    weather.clear();
    await crowd.stop();
    await mail.close();
    await hook.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  for (let kill = 0; kill < kills; kill += 1) {
    const server = await startServer(port, mail, hook);
    isUp = true;
    await answered(crowd.acknowledged, Math.floor(Math.random() * (mostAnswersALife + 1)));
    await delay(Math.random() * longestLastBreathMs);
    server.kill("SIGKILL");
    await once(server, "exit");
    isUp = false;
  }
  await crowd.stop();
  weather.clear();

  const survivor = await startServer(port, mail, hook);
  await drained();
  survivor.kill("SIGKILL");
  await once(survivor, "exit");

  const { messages, signups } = crowd.acknowledged;
  expect(messages.length).toBeGreaterThan(kills);
  expect(signups.length).toBeGreaterThan(kills);
  expect(missing(messages, storedMessages())).toEqual([]);
  expect(missing(signups.map(address), storedSubscribers())).toEqual([]);
  expect(repeated(storedMessages())).toEqual([]);

  const mailIds = contactMailIds(mail);
  expect(missing(messages, [...mailIds.keys()])).toEqual([]);
  expect(withSeveralIds(mailIds)).toEqual([]);

  const confirmationIds = confirmationMailIds(mail);
  expect(missing(signups.map(address), [...confirmationIds.keys()])).toEqual([]);
  expect(withSeveralIds(confirmationIds)).toEqual([]);

  const webhookIds = idsByAddress(hook);
  expect(missing(signups.map(address), [...webhookIds.keys()])).toEqual([]);
  expect(withSeveralIds(webhookIds)).toEqual([]);
});

/** Waits for so many more acknowledgements, however slow the machine is. */
async function answered({ messages, signups }: Acknowledged, count: number) {
  const enough = messages.length + signups.length + count;
  const deadline = performance.now() + answersTimeoutMs;
  while (messages.length + signups.length < enough && performance.now() < deadline) await delay(1);
}

async function startServer(port: number, mail: MailServer, hook: WebhookReceiver) {
  const server: ChildProcess = fork(path.join(import.meta.dirname, "quick-outbox-server.ts"), {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      HOST: "127.0.0.1",
      DATA_DIR: dataDir,
      SMTP_URL: mail.url,
      CONTACT_TO: "desk@chalkline.example",
      NEWSLETTER_WEBHOOK_URL: hook.url,
    },
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  await once(server, "message");
  return server;
}

/** A mail server and a webhook that fail at random, in every way they can, until the weather clears. */
function startBadWeather(mail: MailServer, hook: WebhookReceiver) {
  const moods = ["accept", "accept", "accept", "defer", "reject", "drop", "silent"] as const;
  const change = setInterval(() => {
    mail.mode = moods[Math.floor(Math.random() * moods.length)] ?? "accept";
  }, 60);
  hook.answer = (response) => {
    const luck = Math.random();
    if (luck < 0.6) response.writeHead(204).end();
    else if (luck < 0.8) response.writeHead(500).end();
    else response.destroy();
  };
  return {
    clear() {
      clearInterval(change);
      mail.mode = "accept";
      hook.answer = (response) => response.writeHead(204).end();
    },
  };
}

async function drained() {
  const deadline = performance.now() + drainTimeoutMs;
  for (;;) {
    const waiting = rows<{ count: number }>(
      "select count(*) as count from outbox where delivered_at is null",
    )[0]?.count;
    if (waiting === 0) return;
    if (performance.now() > deadline) throw new Error(`${waiting} deliveries are still waiting.`);
    await delay(250);
  }
}

function rows<Row>(query: string): Row[] {
  const db = new DatabaseSync(path.join(dataDir, "chalkline.sqlite"), { readOnly: true });
  try {
    return db.prepare(query).all() as Row[];
  } finally {
    db.close();
  }
}

function storedMessages(): string[] {
  return rows<{ message: string }>("select message from contact_messages").map(({ message }) =>
    markOf(message),
  );
}

function storedSubscribers(): string[] {
  return rows<{ email: string }>("select email from subscribers").map(({ email }) => email);
}

type IdsByKey = Map<string, Set<string>>;

function contactMailIds(mail: MailServer): IdsByKey {
  const received = mail.received.filter(({ to }) => to.includes("desk@chalkline.example"));
  return groupIds(received, ({ email }) => [markOf(email.text ?? ""), email.messageId ?? ""]);
}

function confirmationMailIds(mail: MailServer): IdsByKey {
  const received = mail.received.filter(({ to }) => to[0]?.endsWith("@visitors.example"));
  return groupIds(received, ({ to, email }) => [to[0] ?? "", email.messageId ?? ""]);
}

function idsByAddress(hook: WebhookReceiver): IdsByKey {
  return groupIds(hook.received, ({ headers, body }) => [
    (JSON.parse(body) as { data: { email: string } }).data.email,
    String(headers["webhook-id"]),
  ]);
}

function groupIds<Item>(items: Item[], read: (item: Item) => [key: string, id: string]): IdsByKey {
  const ids: IdsByKey = new Map();
  for (const item of items) {
    const [key, id] = read(item);
    ids.set(key, (ids.get(key) ?? new Set()).add(id));
  }
  return ids;
}

function withSeveralIds(ids: IdsByKey): string[] {
  return [...ids].filter(([, all]) => all.size !== 1).map(([key]) => key);
}

function markOf(text: string): string {
  return /mark:([^:]+):/.exec(text)?.[1] ?? "";
}

function missing(expected: string[], found: string[]): string[] {
  const all = new Set(found);
  return expected.filter((one) => !all.has(one));
}

function repeated(values: string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return port;
}
