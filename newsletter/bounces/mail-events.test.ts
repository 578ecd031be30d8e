import { expect, test } from "vitest";
import { readMailEvents } from "./mail-events.ts";

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

const deadOutlook = "550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)";
const [sesRecipient] = ses.bounce.bouncedRecipients;

const sesWith = (changes: object) => ({ ...ses, bounce: { ...ses.bounce, ...changes } });
const sesSaying = (diagnosticCode: string) =>
  sesWith({ bouncedRecipients: [{ ...sesRecipient, diagnosticCode }] });
const mailgunWith = (changes: object) => ({
  "event-data": { ...mailgun["event-data"], ...changes },
});
const resendWith = (bounce: object) => ({ ...resend, data: { ...resend.data, bounce } });

const absence = { bounceType: "Transient", bouncedRecipients: [{ emailAddress: "j@example.com" }] };

/** Each service's published example, and variants of it by its documentation. */
test.each([
  ["ours, bounced", { type: "mail.bounced", data: { email: "a@b.example", kind: "soft" } }, "soft"],
  ["our own, complained", { type: "mail.complained", data: { email: "a@b.example" } }, "complaint"],
  ["SES, permanent", ses, "hard"],
  ["SES, wrapped by SNS", { Type: "Notification", Message: JSON.stringify(ses) }, "hard"],
  ["SES, an event", { ...ses, notificationType: undefined, eventType: "Bounce" }, "hard"],
  ["SES, transient", sesWith({ bounceType: "Transient" }), "soft"],
  ["SES, dead", sesSaying(`smtp; ${deadOutlook}`), "hard"],
  ["SES, refused as spam", sesSaying("smtp; 550 5.7.1 Spam detected"), ""],
  ["SES, an out-of-office reply", sesWith(absence), ""],
  ["SES, content", sesWith({ bounceSubType: "ContentRejected" }), ""],
  ["SES, complaint", sesComplaint, "complaint"],
  ["Postmark, hard", postmark, "hard"],
  ["Postmark, soft", { ...postmark, Type: "SoftBounce" }, "soft"],
  ["Postmark, blocked", { ...postmark, Type: "Blocked" }, ""],
  ["Postmark, a word that every object has", { ...postmark, Type: "constructor" }, ""],
  ["Postmark, complaint", { ...postmark, RecordType: "SpamComplaint" }, "complaint"],
  ["Mailgun, permanent", mailgun, "hard"],
  ["Mailgun, dead", mailgunWith({ "delivery-status": { message: deadOutlook } }), "hard"],
  ["Mailgun, nobody", mailgunWith({ "delivery-status": { message: "550 5.5.1 Refused" } }), "hard"],
  ["Mailgun, who left there", mailgunWith({ reason: "suppress-unsubscribe" }), "complaint"],
  ["Mailgun, temporary", mailgunWith({ severity: "temporary" }), ""],
  [
    "Mailgun, listed",
    mailgunWith({ reason: "suppress-bounce", "delivery-status": { message: "" } }),
    "hard",
  ],
  ["Mailgun, a word that every object has", mailgunWith({ reason: "constructor" }), "hard"],
  ["Mailgun, complaint", mailgunWith({ event: "complained" }), "complaint"],
  ["Resend, permanent", resend, "hard"],
  ["Resend, dead", resendWith({ message: deadOutlook, type: "Permanent" }), "hard"],
  ["Resend, transient", resendWith({ message: "", type: "Transient" }), "soft"],
  ["Resend, complaint", { ...resend, type: "email.complained" }, "complaint"],
  ["another event", { type: "email.opened", data: { to: ["delivered@resend.dev"] } }, "none"],
])("%s", (_, payload, expected) => {
  const body = JSON.stringify(payload);
  const events = readMailEvents(JSON.parse(body));
  expect(events?.map(({ kind }) => kind).join() ?? "none").toBe(expected);
  for (const { email } of events ?? []) expect(body).toContain(email);
});
