import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readMailEvents } from "#newsletter/bounces/mail-events.ts";
import { type BackendServer, startBackendServer } from "#tests/backend-server.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { addReaders, readerAddress } from "#tests/sends/readers.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const minuteMs = 60_000;

function signed(
  body: string,
  { id = "event-1", at = new Date(), by = secret, prefix = "webhook-" } = {},
): Record<string, string> {
  return {
    "content-type": "application/json",
    [`${prefix}id`]: id,
    [`${prefix}timestamp`]: String(Math.floor(at.getTime() / 1000)),
    [`${prefix}signature`]: new Webhook(by).sign(id, at, body),
  };
}

describeOnEachDatabase("mail-events", (database) => {
  let server: BackendServer;

  beforeEach(async () => {
    server = await startBackendServer(database.db, { mailEventsSecret: secret });
    await addReaders(database.db, 3);
  });

  afterEach(async () => {
    await server.close();
  });

  const bounced = (email: string, kind = "hard") =>
    JSON.stringify({
      type: "mail.bounced",
      timestamp: "2026-11-22T12:00:00.000Z",
      data: { email, kind, reason: `550 5.1.1 <${email}>: no such user` },
    });

  async function call(body: string, headers = signed(body)) {
    const response = await server.post("mail-events", body, headers);
    return { status: response.status, ...((await response.json()) as object) };
  }

  async function records() {
    return await database.db
      .selectFrom("bounces")
      .innerJoin("subscribers", "subscribers.mailbox_key", "bounces.mailbox_key")
      .select(["email", "kind", "answer", "bounced_at"])
      .orderBy("bounces.id")
      .execute();
  }

  test("a hard bounce ends mailing the address, however often it's told", async () => {
    const body = bounced(readerAddress(0).toUpperCase());
    expect(await call(body)).toEqual({ status: 200, success: true, recorded: 1 });
    expect(await call(body)).toEqual({ status: 200, success: true, recorded: 0 });
    expect(await call(bounced("nobody@example.com"))).toMatchObject({ status: 200, recorded: 0 });
    expect(await records()).toEqual([
      {
        email: readerAddress(0),
        kind: "hard",
        answer: "550 5.1.1 the address: no such user",
        bounced_at: expect.any(String),
      },
    ]);
  });

  test("a complaint ends it too; a soft bounce alone doesn't, nor does one that is told five times", async () => {
    const complained = JSON.stringify({
      type: "mail.complained",
      timestamp: "2026-11-22T12:00:00.000Z",
      data: { email: readerAddress(1) },
    });
    expect(await call(complained)).toMatchObject({ recorded: 1 });
    const soft = bounced(readerAddress(2), "soft");
    for (let time = 0; time < 5; time += 1) await call(soft, signed(soft, { id: "event-2" }));
    expect(await records()).toMatchObject([
      { kind: "complaint", bounced_at: expect.any(String) },
      { kind: "soft", bounced_at: null },
    ]);
  });

  test("nothing is taken that isn't signed, or was signed for another body, by another key or long ago", async () => {
    const body = bounced(readerAddress(0));
    const forged = [
      { "content-type": "application/json" },
      signed(bounced(readerAddress(1))),
      signed(body, { by: "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }),
      signed(body, { at: new Date(Date.now() - 6 * minuteMs) }),
      signed(body, { at: new Date(Date.now() + 6 * minuteMs) }),
      { ...signed(body), "webhook-id": "event-9" },
      { ...signed(body), "webhook-timestamp": "soon" },
    ];
    for (const headers of forged) {
      expect(await call(body, headers)).toMatchObject({ status: 401, success: false });
    }
    expect(await records()).toEqual([]);
  });

  test("what is signed and in no known form is refused, and so is a large body", async () => {
    for (const payload of [
      {},
      { type: "email.opened" },
      { type: "mail.bounced", data: { email: 7 } },
    ]) {
      expect(await call(JSON.stringify(payload))).toMatchObject({ status: 422 });
    }
    const large = JSON.stringify({ type: "mail.complained", data: { email: "x".repeat(200_000) } });
    expect(await call(large)).toMatchObject({ status: 413 });
  });

  test("signed by Svix's older names of the headers, as Resend does it", async () => {
    const body = JSON.stringify({
      type: "email.bounced",
      created_at: "2026-11-22T23:41:12.126Z",
      data: {
        email_id: "56761188-7520-42d8-8898-ff6fc54ce618",
        to: [readerAddress(0)],
        bounce: { message: "550 5.1.1 no such user", subType: "General", type: "Permanent" },
      },
    });
    expect(await call(body, signed(body, { prefix: "svix-" }))).toMatchObject({ recorded: 1 });
    const anew = signed(body, { prefix: "svix-", id: "told-again" });
    expect(await call(body, anew)).toMatchObject({ recorded: 0 });
  });

  test("without a secret there is no such function", async () => {
    await server.close();
    server = await startBackendServer(database.db);
    expect((await call(bounced(readerAddress(0)))).status).toBe(404);
  });
});

const ses = {
  notificationType: "Bounce",
  bounce: {
    bounceType: "Permanent",
    bounceSubType: "General",
    bouncedRecipients: [
      {
        emailAddress: "jane@example.com",
        status: "5.1.1",
        action: "failed",
        diagnosticCode: "smtp; 550 5.1.1 <jane@example.com>... User",
      },
    ],
    feedbackId: "00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa068a-000000",
  },
  mail: { destination: ["jane@example.com"] },
};
const sesComplaint = {
  notificationType: "Complaint",
  complaint: {
    userAgent: "AnyCompany Feedback Loop (V0.01)",
    complainedRecipients: [{ emailAddress: "richard@example.com" }],
    complaintFeedbackType: "abuse",
    feedbackId: "000001378603177f-18c07c78-fa81-4a58-9dd1-fedc3cb8f49a-000000",
  },
};
const postmark = {
  RecordType: "Bounce",
  ID: 4323372036854,
  Type: "HardBounce",
  TypeCode: 1,
  MessageID: "883953f4-6105-42a2-a16a-77a8eac79483",
  Description:
    "The server was unable to deliver your message (ex: unknown user, mailbox not found).",
  Details: "Test bounce details",
  Email: "john@example.com",
  BouncedAt: "2019-11-05T16:33:54.9070259Z",
};
const mailgun = {
  signature: { timestamp: "1529006854", token: "a8ce0edb", signature: "d2271d12" },
  "event-data": {
    event: "failed",
    severity: "permanent",
    reason: "bounce",
    id: "hTWCTD81RtiDN-",
    recipient: "invalid@example.com",
    "delivery-status": {
      code: 550,
      message: "5.1.1 The email account that you tried to reach does not exist.",
      description: "",
    },
  },
};
const mailgunData = mailgun["event-data"];
const resend = {
  type: "email.bounced",
  created_at: "2026-11-22T23:41:12.126Z",
  data: {
    email_id: "56761188-7520-42d8-8898-ff6fc54ce618",
    from: "Acme <onboarding@resend.dev>",
    to: ["delivered@resend.dev"],
    bounce: {
      message:
        "The recipient's email address is on the suppression list because it has a recent history of producing hard bounces.",
      subType: "Suppressed",
      type: "Permanent",
    },
  },
};

/** Each service's published example, and variants of it by its documentation. */
test.each([
  ["SES, permanent", ses, "hard jane@example.com"],
  [
    "SES, wrapped up by SNS",
    { Type: "Notification", Message: JSON.stringify(ses) },
    "hard jane@example.com",
  ],
  [
    "SES, an event",
    { ...ses, notificationType: undefined, eventType: "Bounce" },
    "hard jane@example.com",
  ],
  [
    "SES, transient",
    { ...ses, bounce: { ...ses.bounce, bounceType: "Transient" } },
    "soft jane@example.com",
  ],
  ["SES, content", { ...ses, bounce: { ...ses.bounce, bounceSubType: "ContentRejected" } }, ""],
  ["SES, complaint", sesComplaint, "complaint richard@example.com"],
  ["Postmark, hard", postmark, "hard john@example.com"],
  ["Postmark, soft", { ...postmark, Type: "SoftBounce" }, "soft john@example.com"],
  ["Postmark, blocked", { ...postmark, Type: "Blocked" }, ""],
  ["Postmark, a word that every object has", { ...postmark, Type: "constructor" }, ""],
  [
    "Postmark, complaint",
    { ...postmark, RecordType: "SpamComplaint", Type: "SpamComplaint" },
    "complaint john@example.com",
  ],
  ["Mailgun, permanent", mailgun, "hard invalid@example.com"],
  ["Mailgun, temporary", { "event-data": { ...mailgunData, severity: "temporary" } }, ""],
  [
    "Mailgun, on its own list",
    {
      "event-data": {
        ...mailgunData,
        reason: "suppress-bounce",
        "delivery-status": { message: "" },
      },
    },
    "hard invalid@example.com",
  ],
  [
    "Mailgun, a word that every object has",
    { "event-data": { ...mailgunData, reason: "constructor" } },
    "hard invalid@example.com",
  ],
  [
    "Mailgun, complaint",
    { "event-data": { ...mailgunData, event: "complained" } },
    "complaint invalid@example.com",
  ],
  ["Resend, permanent", resend, "hard delivered@resend.dev"],
  [
    "Resend, transient",
    { ...resend, data: { ...resend.data, bounce: { message: "", type: "Transient" } } },
    "soft delivered@resend.dev",
  ],
  ["Resend, complaint", { ...resend, type: "email.complained" }, "complaint delivered@resend.dev"],
  ["another event", { type: "email.opened", data: { to: ["delivered@resend.dev"] } }, "none"],
])("%s", (_, payload, expected) => {
  const events = readMailEvents(JSON.parse(JSON.stringify(payload)));
  expect(events?.map(({ kind, email }) => `${kind} ${email}`).join() ?? "none").toBe(expected);
});
