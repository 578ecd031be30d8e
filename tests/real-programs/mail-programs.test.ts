import { connect } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { raw } from "hono/html";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { starterIssues } from "#content/starter-issues.ts";
import type { Db } from "#db/tables.ts";
import { createMailer, type Mailer, type MailMessage, openTransport } from "#mail/create-mailer.ts";
import { createDeliverers } from "#mail/deliverers.ts";
import { composeIssueMail } from "#mail/issue-mail/compose-issue-mail.ts";
import { createBounceMailbox, createReturnPaths } from "#newsletter/bounces/bounce-mailbox.ts";
import { listSendRows, newsletterHeaders } from "#newsletter/sends/recipients.ts";
import { createSendWorker } from "#newsletter/sends/send-worker.ts";
import { countAudience, findSend, steerSend } from "#newsletter/sends/sends.ts";
import { newSubscriberToken } from "#newsletter/subscribers/apply-event.ts";
import { describeOnEachDatabase, type TestDatabase } from "#tests/databases.ts";
import { imapCertificate } from "#tests/sends/imap-server.ts";
import { queueTestSend, testSender } from "#tests/sends/queue-test-send.ts";
import { quickSendLimits } from "#tests/sends/quick-send-limits.ts";
import { sentMails } from "#tests/sends/sent-mails.ts";
import { addConfirmed } from "#tests/sends/subscribers.ts";
import { testSite } from "#tests/site-identity.ts";
import { until } from "#tests/until.ts";
import {
  areMailProgramsThere,
  bounceAddress,
  isDovecot24,
  type MailPrograms,
  signIn,
  startMailPrograms,
} from "./mail-programs.ts";
import { meaningOfError, type Provocation, provocations, returned } from "./words.ts";

const trialSubscribers = 15;

const trustedBefore = getCACertificates("default");
const site = { ...testSite, url: "https://www.firm.test", email: "hello@firm.test" };
const returnPaths = createReturnPaths(bounceAddress);
let programs: MailPrograms;

beforeAll(async () => {
  if (!areMailProgramsThere) return;
  setDefaultCACertificates([...trustedBefore, imapCertificate]);
  programs = await startMailPrograms({ mailsAMinute: 8 });
});

afterAll(async () => {
  setDefaultCACertificates(trustedBefore);
  await programs?.stop();
});

beforeEach((context) => {
  if (!areMailProgramsThere) context.skip();
});

type PortName = keyof MailPrograms["ports"];

/** `submission` and `submissions` ask for a password, by STARTTLS and by TLS from the start. */
function smtpUrl(at: PortName, options: { password?: string } = {}): string {
  const isAsked = at === "submission" || at === "submissions";
  const { password = isAsked ? signIn.password : "" } = options;
  const user = password
    ? `${encodeURIComponent(signIn.user)}:${encodeURIComponent(password)}@`
    : "";
  return `${at === "submissions" ? "smtps" : "smtp"}://${user}localhost:${programs.ports[at]}`;
}

function optionsFor(url: string) {
  const from = '"Chalkline" <matrix@firm.test>';
  const { dkim } = programs;
  return { smtpUrl: url, dataDir: "", from, siteUrl: site.url, connections: 3, dkim };
}

function mailerFor(url: string, more = {}): Mailer {
  const mailer = createMailer({ ...optionsFor(url), ...more });
  onTestFinished(() => mailer.close());
  return mailer;
}

function startWorker(open: TestDatabase["open"], url: string) {
  const pool = openTransport(optionsFor(url));
  const worker = createSendWorker({
    database: open,
    log: pino({ level: "silent" }),
    ...testSender,
    site,
    mailer: createMailer({ ...optionsFor(url), pool }),
    returnPathOf: returnPaths.of,
    limits: {
      ...quickSendLimits,
      connections: 3,
      pollMs: 100,
      mailsPerSecond: 200,
      backoff: { baseMs: 400, capMs: 2_000, maxAttempts: 16 },
    },
  });
  worker.start();
  let isOpen = true;
  async function stop() {
    if (!isOpen) return;
    isOpen = false;
    await worker.stop({ deadlineMs: 500 });
    pool.close();
  }
  onTestFinished(stop);
  return { stop };
}

async function untilState(db: Db, id: number, state: string) {
  await until(async () => (await findSend(db, id))?.state === state);
  const send = await findSend(db, id);
  if (!send) throw new Error("The send is gone.");
  return send;
}

const message = (to: string, { subject = "Hello", body = "", from = "matrix@firm.test" } = {}) => ({
  deliveryId: `letter-${Math.random()}`,
  date: new Date().toISOString(),
  subject,
  to: { name: "", address: to },
  text: "Words.",
  returnPath: from,
  html: raw(`<p>Words.</p><p>${body}</p>`) as MailMessage["html"],
});

async function answerTo(asked: Provocation): Promise<Error | null> {
  const { at, to, headers, password, after } = asked;
  // A signature of ours would stand before the wrong one.
  const mailer = mailerFor(smtpUrl(at, { password }), headers ? { dkim: null } : {});
  if (after === "mail") await mailer.send(message(to, asked));
  if (after === "connection") {
    const other = connect(programs.ports[at], "127.0.0.1");
    onTestFinished(() => void other.destroy());
    await new Promise((resolve) => other.once("data", resolve));
  }
  return await mailer.send({ ...message(to, asked), headers }).then(
    () => null,
    (error: Error) => error,
  );
}

test("each answer of Postfix, Exim, Dovecot, postgrey, OpenDKIM and rspamd is read for what it means", async () => {
  const read: Record<string, string> = {};
  for (const [name, asked] of Object.entries(provocations)) {
    const error = await answerTo(asked);
    read[name] = error ? meaningOfError(error, asked.to) : "accepted";
  }
  const meant = Object.entries(provocations).map(([name, { means }]) => [name, means]);
  expect(read).toEqual(Object.fromEntries(meant));
});

const now = new Date().toISOString();

const letterPayloads = {
  "contact-email": {
    messageId: 7,
    firstName: "Zoë",
    lastName: "Müller",
    email: "zoe@visitors.test",
    company: "Müller & Fils",
    phone: "+1 416 555 0100",
    subject: "pricing",
    message: "Do you quote for roofs?\nIn spring.",
    receivedAt: now,
  },
  "confirmation-email": {
    email: "reader-1@readers.test",
    token: newSubscriberToken(),
    confirmToken: "confirm",
  },
  "owner-email": { subject: "Paused: the send of “Quotes”", paragraphs: ["550 5.4.5", "Why."] },
};

async function sendEachLetter(mailer: Mailer, to: string) {
  const deliver = createDeliverers({ mailer, contactTo: to, site, webhook: null });
  const about = { createdAt: new Date().toISOString(), signal: AbortSignal.timeout(20_000) };
  const at = (deliveryId: string) => ({ ...about, deliveryId });
  for (const kind of Object.keys(letterPayloads) as (keyof typeof letterPayloads)[]) {
    const payload = letterPayloads[kind] as never;
    await deliver[kind]({ ...at(kind), payload });
  }
  const known = { ...letterPayloads["confirmation-email"], confirmToken: null };
  await deliver["confirmation-email"]({ ...at("already-subscribed"), payload: known });
  const [issue] = starterIssues;
  if (!issue) throw new Error("There is no starter issue.");
  const token = newSubscriberToken();
  const { text, html, subject } = composeIssueMail({
    issue: { id: 1, number: 1, ...issue },
    site,
    tokenPlaceholder: token,
  });
  await mailer.send({
    deliveryId: "issue",
    date: about.createdAt,
    to: { name: "", address: to },
    subject,
    text,
    html: raw(html) as MailMessage["html"],
    headers: newsletterHeaders(site, token),
    returnPath: returnPaths.of({ id: 1, email: to, token }),
  });
}

type Symbols = Record<string, { score: number }>;

/** As it would come from the firm's mail server to a receiver's. */
async function symbolsOf(letter: string, to: string): Promise<Record<string, number>> {
  const sender = { IP: "192.0.2.10", Helo: "mail.firm.test", Hostname: "mail.firm.test" };
  const url = `http://127.0.0.1:${programs.ports.rspamd}/checkv2`;
  const from = /^Return-Path: <(.*)>/.exec(letter)?.[1] ?? "";
  const body = letter.slice(letter.indexOf("DKIM-Signature:")).replaceAll("\n", "\r\n");
  const answer = await fetch(url, {
    method: "POST",
    headers: { ...sender, Rcpt: to, From: from },
    body,
  });
  const { symbols } = (await answer.json()) as { symbols: Symbols };
  return Object.fromEntries(Object.entries(symbols).map(([name, { score }]) => [name, score]));
}

test("every letter and an issue pass OpenDKIM, and rspamd finds nothing in them over 0.3", async (context) => {
  // Debian 13's rspamd, 3.12, counts the addresses in a mail in another way than 3.4.
  if (isDovecot24) context.skip();
  const owner = "office@readers.test";
  const subscriber = letterPayloads["confirmation-email"].email;
  await sendEachLetter(mailerFor(smtpUrl("mx")), owner);
  const arrived = () =>
    [owner, subscriber].flatMap((to) => programs.lettersOf(to).map((letter) => ({ to, letter })));
  await until(() => arrived().filter(({ letter }) => idOf(letter) !== undefined).length === 5);
  const symbols: Record<string, Record<string, number>> = {};
  for (const { to, letter } of arrived()) {
    const id = idOf(letter);
    if (id === undefined) continue;
    expect.soft(letter, id).toMatch(/^Authentication-Results: mx\.readers\.test;\s+dkim=pass/m);
    const isClean = async () => {
      symbols[id] = await symbolsOf(letter, to);
      return Object.values(symbols[id]).every((score) => score <= 0.3);
    };
    // Asked again, since rspamd waits a fifth of a second for a name. What is found in the letter stays, and is told below.
    await until(isClean).catch(() => {});
  }
  const bad = Object.entries(symbols).flatMap(([id, found]) =>
    Object.entries(found)
      .filter(([, score]) => score > 0.3)
      .map(([name, score]) => `${id}: ${name} ${score}`),
  );
  expect(bad).toEqual([]);
  const allowed = { R_DKIM_ALLOW: expect.any(Number), R_SPF_ALLOW: expect.any(Number) };
  for (const found of Object.values(symbols)) expect(found).toMatchObject(allowed);
});

/** The letter's name, by the Message-ID that it has at the sender's domain. */
function idOf(letter: string): string | undefined {
  return /^Message-ID: <([a-z-]+)@firm\.test>/im.exec(letter)?.[1];
}

/** `imap` asks for STARTTLS. */
function mailboxUrl(scheme: "imap" | "imaps"): string {
  const user = `${encodeURIComponent(bounceAddress)}:${encodeURIComponent(signIn.password)}`;
  return `${scheme}://${user}@localhost:${programs.ports[scheme]}/INBOX`;
}

function readMailbox(db: Db, url: string) {
  const lines: { outcome?: string; words?: string }[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  const mailbox = createBounceMailbox({ db, log, url, returnPaths, pollMs: 200 });
  mailbox.start();
  onTestFinished(() => mailbox.stop());
  return lines;
}

describeOnEachDatabase(
  "a newsletter through real mail servers",
  (database) => {
    test("reaches each mailbox once, signed in by TLS, past greylisting and over two kinds of servers", async () => {
      const { db, open } = database;
      const readers = ["readers.test", "grey.test", "exim.test"].flatMap((domain) =>
        [1, 2, 3, 4].map((n) => `reader-once-${n}@${domain}`),
      );
      await addConfirmed(db, readers);
      startWorker(open, smtpUrl("submissions"));
      const { counts } = await untilState(db, await queueTestSend(db), "finished");
      expect(counts.accepted).toBe(readers.length);
      await until(() => readers.every((email) => programs.lettersOf(email).length > 0));
      for (const email of readers) {
        expect(programs.lettersOf(email)).toEqual([
          expect.stringMatching(/^Return-Path: <bounces\+\w+-\w+@news\.firm\.test>/),
        ]);
      }
    });

    test("what comes back is read from Dovecot, and charged to the address or to nobody", async () => {
      const { db } = database;
      const addresses = [...new Set(Object.values(returned).map(({ to }) => to))];
      await addConfirmed(db, addresses);
      const mails = await sentMails(database, returnPaths);
      const mailer = mailerFor(smtpUrl("submission"));
      for (const { address, returnPath } of mails) {
        const body = Object.values(returned).find(({ to }) => to === address)?.body;
        await mailer.send(message(address, { body, from: returnPath }));
      }
      const expected = Object.values(returned);
      // Delays are told of other mails too, on a busy machine.
      const isVerdict = (outcome: string) => outcome !== "nothing";
      const verdicts = expected.map(({ outcome }) => outcome.split(",")[0] ?? "").filter(isVerdict);
      const lines = readMailbox(db, mailboxUrl("imaps"));
      const read = () => lines.flatMap(({ outcome }) => outcome ?? []).filter(isVerdict);
      await until(() => read().length >= verdicts.length);
      expect(read().toSorted()).toEqual(verdicts.toSorted());
      expect(lines.some(({ outcome }) => outcome === "nothing")).toBe(true);
      const bounces = await db.selectFrom("bounces").select(["mailbox_key", "kind"]).execute();
      const charged = expected.flatMap(({ to, outcome }) => {
        const [, kind] = outcome.split(", ");
        return kind ? [{ mailbox_key: to, kind }] : [];
      });
      const byMailbox = <Row extends { mailbox_key: string }>(rows: Row[]) =>
        rows.toSorted((a, b) => (a.mailbox_key < b.mailbox_key ? -1 : 1));
      expect(byMailbox(bounces)).toEqual(byMailbox(charged));
    });

    test(`sends get through one trouble after the other, each to all ${trialSubscribers}, and charge nobody`, async () => {
      const { db, open } = database;
      const readers = Array.from(
        { length: trialSubscribers },
        (_, n) => `reader-trial-${n}@readers.test`,
      );
      await addConfirmed(db, readers);
      let issueId = 0;

      async function trouble(
        at: PortName,
        { password, mend }: { password?: string; mend?: () => Promise<unknown> } = {},
      ) {
        issueId += 1;
        const id = await queueTestSend(db, { issueId });
        const worker = startWorker(open, smtpUrl(at, { password }));
        let restarted: { stop(): Promise<void> } | null = null;
        if (mend) {
          const { counts } = await untilState(db, id, "paused");
          expect(counts).toMatchObject({ accepted: 0, refused: 0 });
          await mend();
          // A setting takes a restart.
          if (password) {
            await worker.stop();
            restarted = startWorker(open, smtpUrl(at));
          }
          await steerSend({ db, now: new Date() }, id, { deed: "resume" });
        }
        // Longer than a test's patience: servers slow down whoever they refuse often.
        const hasFinished = async () => (await findSend(db, id))?.state === "finished";
        await vi.waitUntil(hasFinished, { timeout: 300_000, interval: 20 });
        const rows = await listSendRows(db, { sendId: id });
        expect(rows.filter(({ state }) => state !== "accepted")).toEqual([]);
        await until(() => readers.every((email) => programs.lettersOf(email).length === issueId));
        await worker.stop();
        await restarted?.stop();
      }

      await programs.relay.set({ message_size_limit: 1_000 });
      await trouble("submission", { mend: () => programs.relay.set({}) });
      await trouble("one");
      await trouble("slow");
      await trouble("greylisting");
      await trouble("submissions", { password: "wrong", mend: async () => {} });
      expect(await db.selectFrom("bounces").selectAll().execute()).toEqual([]);
      expect(await countAudience(db, null)).toBe(readers.length);
    }, 600_000);

    test("a send and the bounce mailbox go on by themselves after Dovecot was away", async () => {
      const { db, open } = database;
      await addConfirmed(db, ["reader-again@readers.test"]);
      const [mail] = await sentMails(database, returnPaths);
      await programs.dovecot.stop();
      // Its open connection to Postfix would go on.
      await programs.relay.set({});
      const lines = readMailbox(db, mailboxUrl("imap"));
      await until(() => lines.length > 0);
      expect(lines[0]?.words).toContain("ECONNREFUSED");
      const id = await queueTestSend(db, { issueId: 2 });
      startWorker(open, smtpUrl("submission"));
      await until(async () => ((await findSend(db, id))?.trouble ?? "") !== "");
      await programs.dovecot.start();
      expect((await untilState(db, id, "finished")).counts.accepted).toBe(1);
      const mailer = mailerFor(smtpUrl("submission"));
      await mailer.send(message("nobody@readers.test", { from: mail.returnPath }));
      await until(() => lines.some(({ outcome }) => outcome === "recorded"));
    });
  },
  { kinds: ["sqlite"] },
);
