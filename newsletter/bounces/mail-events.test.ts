import { expect, test } from "vitest";
import { readMailEvents } from "./mail-events.ts";

const postmark = {
  RecordType: "Bounce",
  ID: 4323372036854,
  Type: "HardBounce",
  Details: "Test bounce details",
  Email: "john@example.com",
};
const resend = {
  type: "email.bounced",
  created_at: "2026-11-22T23:41:12.126Z",
  data: {
    email_id: "56761188-7520-42d8-8898-ff6fc54ce618",
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
const resendWith = (bounce: object) => ({ ...resend, data: { ...resend.data, bounce } });

/** Each service's published example, and variants of it by its documentation. */
test.each([
  ["Postmark, hard", postmark, "hard"],
  ["Postmark, soft", { ...postmark, Type: "SoftBounce" }, "soft"],
  ["Postmark, blocked", { ...postmark, Type: "Blocked" }, ""],
  ["Postmark, a word that every object has", { ...postmark, Type: "constructor" }, ""],
  ["Postmark, complaint", { ...postmark, RecordType: "SpamComplaint" }, "complaint"],
  ["Resend, permanent", resend, "hard"],
  ["Resend, dead", resendWith({ message: deadOutlook, type: "Permanent" }), "hard"],
  [
    "Resend, refused as spam",
    resendWith({ message: "550 5.7.1 Spam detected", type: "Permanent" }),
    "",
  ],
  ["Resend, transient", resendWith({ message: "", type: "Transient" }), "soft"],
  ["Resend, complaint", { ...resend, type: "email.complained" }, "complaint"],
  ["another event", { type: "email.opened", data: { to: ["delivered@resend.dev"] } }, "none"],
])("%s", (_, payload, expected) => {
  const body = JSON.stringify(payload);
  const events = readMailEvents(JSON.parse(body));
  expect(events?.map(({ kind }) => kind).join() ?? "none").toBe(expected);
  for (const { email } of events ?? []) expect(body).toContain(email);
});
