import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { gmailReport, postfixReport, reportOf, textReport } from "#tests/sends/mail-reports.ts";
import { sentMails } from "#tests/sends/sent-mails.ts";
import { addSubscribers, subscriberAddress } from "#tests/sends/subscribers.ts";
import { findMailboxRows } from "../subscribers/person.ts";
import { releaseSubscriber } from "../subscribers/subscribe.ts";
import { createReturnPaths, recordReport } from "./bounce-mailbox.ts";

const returnPaths = createReturnPaths("bounces@news.chalkline.example");
const dayMs = 24 * 60 * 60 * 1000;

describeOnEachDatabase("reports in the bounce mailbox", (database) => {
  async function sent(subscribers: number, issueId = 1) {
    if (issueId === 1) await addSubscribers(database.db, subscribers);
    return await sentMails(database, returnPaths, issueId);
  }

  const report = (message: Buffer, now = new Date()) =>
    recordReport(database.db, returnPaths, { message, now });

  async function recordOf(email: string) {
    const { subscriptions, bounces, consentEvents } = await findMailboxRows(database.db, email);
    return {
      isBounced: subscriptions[0]?.bounced_at !== null,
      bounces: bounces.map(({ kind, status_code, answer }) => ({ kind, status_code, answer })),
      events: consentEvents.map(({ event }) => event),
    };
  }

  test.each([
    ["Postfix", postfixReport, "5.1.1"],
    ["Gmail", gmailReport, "5.1.1"],
    ["Exchange", reportOf("exchange"), "5.1.10"],
    ["SES", reportOf("ses"), "5.1.1"],
    ["Exim", reportOf("exim"), "5.1.1"],
    [
      "Outlook.com",
      (mail: Parameters<typeof postfixReport>[0]) =>
        postfixReport(mail, {
          status: "5.5.0",
          words: "550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)",
        }),
      "5.5.0",
    ],
  ] as const)(
    "a report of %s that there is no such mailbox ends mailing the address",
    async (_, write, code) => {
      const [mail] = await sent(1);
      expect(await report(write(mail))).toBe("recorded");
      const record = await recordOf(mail.email);
      expect(record).toMatchObject({
        isBounced: true,
        bounces: [{ kind: "hard", status_code: code }],
        events: ["bounced"],
      });
      expect(record.bounces[0]?.answer).not.toContain(mail.email);
      // The same once more, in other letters, as servers on the way write them.
      const again = write({ ...mail, returnPath: mail.returnPath.toUpperCase() });
      expect(await report(again)).toBe("known");
      expect(await recordOf(mail.email)).toEqual(record);
    },
  );

  test("an absence note, a receipt and words without a status change nothing", async () => {
    const [mail] = await sent(1);
    const body = "I am away until Monday. Call 555 0142, or 550 5.1.1 Main Street.";
    const receipt = {
      type: 'multipart/report; report-type="disposition-notification"; boundary="part"',
      body: "--part\nContent-Type: text/plain\n\nNot read: Quotes\n--part--\n",
    };
    const unread = { from: "MAILER-DAEMON@mx.example.net", body: "La livraison a échoué." };
    for (const note of [{ body }, receipt, unread]) {
      expect(await report(textReport(mail, { from: mail.email, ...note }))).toBe("nothing");
    }
  });

  test("Postfix's refusal of the recipient is a soft bounce, though its code would blame us", async () => {
    const [mail] = await sent(1);
    const words = `554 5.7.1 <${mail.address}>: Recipient address rejected: Access denied`;
    expect(await report(postfixReport(mail, { status: "5.7.1", words }))).toBe("recorded");
    expect((await recordOf(mail.email)).bounces).toMatchObject([{ kind: "soft" }]);
  });

  test("five soft bounces in thirty days end mailing the address, four don't, and a release starts the count anew", async () => {
    const full = { status: "4.2.2", words: "452 4.2.2 The mailbox is full" };
    const now = Date.now();
    for (const issueId of [1, 2, 3, 4, 5, 6]) {
      const [mail] = await sent(1, issueId);
      // The first is from before the thirty days.
      const at = new Date(now - (issueId === 1 ? 40 : 7 - issueId) * dayMs);
      expect(await report(postfixReport(mail, full), at)).toBe("recorded");
      expect((await recordOf(mail.email)).isBounced).toBe(issueId === 6);
    }
    const email = subscriberAddress(0);
    const order = { db: database.db, newsletterWebhookUrl: null, now: new Date(now + 1) };
    expect(await releaseSubscriber(order, { email })).toMatchObject({ ok: true });
    const [mail] = await sent(1, 7);
    await report(postfixReport(mail, full), new Date(now + 2));
    expect(await recordOf(email)).toMatchObject({
      isBounced: false,
      events: ["bounced", "released"],
    });
  });

  test("nobody can make up a bounce of an address of their choice", async () => {
    const [mine, other] = await sent(2);
    const proof = /-[0-9a-f]+@/;
    const forged = [
      other.returnPath.replace(proof, mine.returnPath.match(proof)?.[0] ?? ""),
      other.returnPath.replace(proof, `-${"0".repeat(20)}@`),
      other.returnPath.replace(proof, "@"),
      other.returnPath.replace("@news.", "@other."),
      "bounces+zzzzzzzzzzz-00000000000000000000@news.chalkline.example",
      "bounces@news.chalkline.example",
    ];
    for (const returnPath of forged) {
      expect(await report(postfixReport({ ...other, returnPath }))).toBe("unproven");
    }
    // A return path proves nothing for an address that has changed since.
    await database.db
      .updateTable("subscribers")
      .set({ email: "new@example.com" })
      .where("email", "=", mine.email)
      .execute();
    expect(await report(postfixReport(mine))).toBe("unproven");
    expect(await recordOf(other.email)).toEqual({ isBounced: false, bounces: [], events: [] });
  });

  test("a delay, a refusal of ours and a mail that is no report change nothing, whatever their characters", async () => {
    const [mail] = await sent(1);
    expect(await report(gmailReport(mail, "delayed"))).toBe("nothing");
    const blocked = {
      status: "5.7.1",
      words: "550 5.7.1 Our system has detected that this is spam",
    };
    expect(await report(postfixReport(mail, blocked))).toBe("ours");
    const spoilt = { status: "4.2.2", words: "452 4.2.2 \0\u{1f4a9} full \ud800" };
    expect(await report(postfixReport(mail, spoilt))).toBe("recorded");
    const away = `From: ${mail.email}\r\nTo: ${mail.returnPath}\r\nSubject: Out of office\r\n\r\nUntil Monday.`;
    const replied = `Auto-Submitted: auto-replied (vacation)\r\n${away}`;
    expect(await report(Buffer.from(replied))).toBe("nothing");
    const cut = postfixReport(mail).subarray(0, 900);
    const deep = "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n".repeat(500);
    for (const garbage of [away, cut, deep, "", "\0\0\0", Buffer.alloc(100_000, 0xff)]) {
      expect(await report(Buffer.from(garbage))).toBe("nothing");
    }
    const soft = { kind: "soft", status_code: "4.2.2", answer: expect.stringContaining("full") };
    expect(await recordOf(mail.email)).toEqual({ isBounced: false, bounces: [soft], events: [] });
  });
});
