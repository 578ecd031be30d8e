import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import {
  exchangeReport,
  eximReport,
  gmailReport,
  partsOf,
  postfixReport,
  sesReport,
  textReport,
} from "#tests/sends/mail-reports.ts";
import { sentMails } from "#tests/sends/sent-mails.ts";
import { addSubscribers, subscriberAddress } from "#tests/sends/subscribers.ts";
import { findMailboxRows } from "../subscribers/privacy.ts";
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
    ["Exchange", exchangeReport, "5.1.10"],
    ["SES", sesReport, "5.1.1"],
    ["Exim", eximReport, "5.1.1"],
    [
      "Outlook.com",
      (mail: Parameters<typeof postfixReport>[0]) =>
        postfixReport(mail, {
          status: "5.5.0",
          words: "550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)",
        }),
      "5.5.0",
    ],
    [
      "a server that has its words elsewhere",
      (mail: Parameters<typeof postfixReport>[0]) => {
        const report = postfixReport(mail, { status: "5.0.0", words: "none" }).toString();
        const words = 'X-Supplementary-Info: <192.0.2.1 #5.0.0 smtp; 550 5.1.1 "Unknown User">';
        return Buffer.from(report.replace("Diagnostic-Code: smtp; none", words));
      },
      "5.1.1",
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

  const copy =
    "------ This is a copy of the message. ------\n\nReturn-Path: <x>\nSubject: 550 5.7.1";
  test.each([
    [
      "qmail's, marked as auto-replied",
      {
        body: "<ADDRESS>:\nSorry, I couldn't find any mailbox by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nReturn-Path: <x>\n",
      },
      { kind: "hard", status_code: "5.1.1" },
    ],
    [
      "a host's words after a header that names the address",
      {
        headers: "X-Failed-Recipients: ADDRESS",
        body: `| Failed addresses follow |\n <ADDRESS>\n   550 5.1.1 <ADDRESS>: unknown user\n\n${copy}`,
      },
      { kind: "hard", answer: "550 5.1.1 the address: unknown user" },
    ],
    [
      "Exim's own, without a code",
      {
        headers: "X-Failed-Recipients: ADDRESS\nAuto-Submitted: auto-replied",
        body: `This is a permanent error.\n\n  ADDRESS\n    Unrouteable address\n\n${copy}`,
      },
      { kind: "soft", status_code: null, answer: "Unrouteable address" },
    ],
    [
      "one in HTML alone",
      {
        type: "text/html; charset=utf-8",
        body: "<style>p { width: 550 }</style><p>Not delivered to ADDRESS.</p><p>550&nbsp;5.1.1 User unknown</p>",
      },
      { kind: "hard", status_code: "5.1.1" },
    ],
    [
      "one whose status is in its text",
      {
        body: "It could not be delivered.\n\nFinal-Recipient: rfc822; ADDRESS\nAction: failed\nStatus: 5.1.1\n",
      },
      { kind: "hard", status_code: "5.1.1" },
    ],
    [
      "Office 365's, mixed",
      {
        from: "Microsoft Outlook <postmaster@outlook.com>",
        ...partsOf(
          "Content-Type: text/plain\n\nYour message to ADDRESS couldn't be delivered.\nStatus code: 550 5.5.0\nReported error: 550 5.5.0 Requested action not taken: mailbox unavailable",
        ),
      },
      { kind: "hard", status_code: "5.5.0" },
    ],
  ])("%s is read by its words", async (_, parts, expected) => {
    const [mail] = await sent(1);
    expect(await report(textReport(mail, parts))).toBe("recorded");
    const { bounces, isBounced } = await recordOf(mail.email);
    expect(bounces).toMatchObject([expected]);
    expect(isBounced).toBe(expected.kind === "hard");
  });

  test.each([
    ["Exchange", "Auto-Submitted: auto-generated\nX-Auto-Response-Suppress: All"],
    ["an older program's", "Precedence: auto_reply\nX-Autoreply: yes"],
    ["a person's own", "Auto-Submitted: auto-replied"],
  ])("an absence note of %s is a notice", async (_, headers) => {
    const [mail] = await sent(1);
    const body = "I am away until Monday. Call 555 0142, or 550 Main Street.";
    const note = textReport(mail, { from: mail.email, headers, body });
    expect(await report(note)).toBe("nothing");
    const receipt = {
      headers: "X-Mailer: none",
      from: mail.email,
      type: 'multipart/report; report-type="disposition-notification"; boundary="part"',
      body: partsOf("Content-Type: text/plain\n\nNot read: Quotes").body,
    };
    expect(await report(textReport(mail, receipt))).toBe("nothing");
  });

  test("a report in unreadable words is flagged, and a delay is a notice", async () => {
    const [mail] = await sent(1);
    expect(await report(textReport(mail, { body: "La livraison a échoué." }))).toBe("unreadable");
    const subject = "Warning: message 1abc-0001 delayed 24 hours";
    const body = "A message has not been delivered yet to ADDRESS.";
    expect(await report(textReport(mail, { subject, body }))).toBe("nothing");
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
      expect(await report(Buffer.from(garbage))).toBe("unreadable");
    }
    const soft = { kind: "soft", status_code: "4.2.2", answer: expect.stringContaining("full") };
    expect(await recordOf(mail.email)).toEqual({ isBounced: false, bounces: [soft], events: [] });
  });
});
