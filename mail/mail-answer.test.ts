import { describe, expect, test } from "vitest";
import { meaningOf, readFailure } from "./mail-answer.ts";

const email = "pat@example.com";

function failureOf(words: string, more: object, to = email) {
  return readFailure(Object.assign(new Error(words), more), to);
}

function refusal(response: string, command: string, to = email) {
  const responseCode = Number(response.slice(0, 3));
  return failureOf(`Message failed: ${response}`, { command, responseCode, response }, to);
}

describe("readFailure", () => {
  test("takes a relay's words about the network behind it for its refusal, and not for an outage", () => {
    const refused = refusal("550 5.1.2 <pat@example.com>: getaddrinfo ENOTFOUND", "RCPT TO");
    expect(refused).toMatchObject({ kind: "answer", meaning: { about: "address", kind: "hard" } });
    expect(refused.words).not.toContain(email);
    const later = refusal("451 4.4.0 queryMx EAI_AGAIN example.com", "RCPT TO");
    expect(later).toMatchObject({ kind: "answer", meaning: { about: "later" } });
  });

  test("keeps the recipient's name out of a server's words, and every code in them", () => {
    const said = "550 5.1.1 No mailbox pat.quill. User PAT.QUILL is unknown at pat.quill-fence";
    const { words } = refusal(said, "RCPT TO", "pat.quill@example.com");
    expect(words).toContain(
      "550 5.1.1 No mailbox the address. User the address is unknown at pat.quill-fence",
    );
    expect(refusal("550 5.1.1 Unknown", "RCPT TO", "550@example.com").words).toContain("550 5.1.1");
  });

  test("says of a server that can't be reached, or greets with a refusal, that it never saw the mail", () => {
    const away = { kind: "away", tried: false, isRefused: false };
    const refused = failureOf("connect ECONNREFUSED 192.0.2.1:25", {
      code: "ESOCKET",
      command: "CONN",
    });
    expect(refused).toMatchObject(away);
    expect(failureOf("getaddrinfo EAI_AGAIN mail.example", { code: "EDNS" })).toMatchObject(away);
    const response = "554 No service for you";
    const greeting = { code: "EPROTOCOL", command: "CONN", responseCode: 554, response };
    expect(failureOf(`Invalid greeting. response=${response}`, greeting)).toMatchObject(away);
  });

  test("says of a connection that breaks in the middle that it may have brought the mail", () => {
    const broken = { code: "ECONNECTION", command: "CONN" };
    expect(failureOf("Connection closed unexpectedly", broken)).toMatchObject({
      kind: "away",
      tried: true,
    });
  });

  test("tells a sign-in or certificate that is refused from a server that is away", () => {
    const response = "535 5.7.8 Error: authentication failed";
    const signIn = { code: "EAUTH", command: "AUTH PLAIN", responseCode: 535, response };
    expect(failureOf(`Invalid login: ${response}`, signIn)).toMatchObject({ isRefused: true });
    const certificate = { code: "ESOCKET", command: "CONN" };
    expect(failureOf("self-signed certificate", certificate)).toMatchObject({ isRefused: true });
    const early = { code: "EAUTH", command: "AUTH PLAIN", responseCode: 454 };
    expect(failureOf("Temporary authentication failure", early)).toMatchObject({
      isRefused: false,
    });
  });

  test("keeps no address in the words, in either spelling of its domain", () => {
    const refused = refusal(
      "550 5.1.1 <josé@bücher.test>: unknown",
      "RCPT TO",
      "josé@xn--bcher-kva.test",
    );
    expect(refused.words).not.toContain("josé");
  });
});

test.each([
  ["550 5.4.5 Daily user sending limit exceeded.", "us"],
  [
    "554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; Failed to process message",
    "us",
  ],
  ["552 5.3.4 Error: message file too big", "mail"],
  ["552 5.2.3 Message length exceeds administrative limit", "mail"],
  ["550 Message quota per day reached", "us"],
  ["554 5.7.1 Spam message rejected", "us"],
  ["550 5.3.0 Unspecified", "us"],
  ["552 5.2.2 Mailbox full", "address"],
  ["550 5.1.1 No such user", "address"],
  ["554 delivery error: dd This user doesn't have a yahoo.com account", "address"],
  ["452 4.3.1 Insufficient system storage", "later"],
])("after the whole mail, %s is about: %s", (words, about) => {
  expect(meaningOf({ stage: "message", words })).toMatchObject({ about });
});

test("a domain that isn't found is no unknown mailbox, whatever stands before it", () => {
  const words = "550 5.4.4 Recipient address rejected: Host or domain name not found";
  expect(meaningOf({ stage: "recipient", words })).toMatchObject({
    about: "address",
    kind: "soft",
  });
});
