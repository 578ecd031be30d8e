import { expect, test } from "vitest";
import { readAnswer } from "./mail-server.ts";

const email = "pat@example.com";

function answerOf(words: string, more: object) {
  return readAnswer(Object.assign(new Error(words), more), email);
}

test("a relay's words about the network behind it are its refusal, and not that it is away", () => {
  const response = "550 5.1.2 <pat@example.com>: getaddrinfo ENOTFOUND example.com";
  const refused = answerOf(`Can't send mail: ${response}`, {
    code: "EENVELOPE",
    command: "RCPT TO",
    responseCode: 550,
    response,
  });
  expect(refused).toMatchObject({ kind: "refused", refusal: { kind: "hard" } });
  expect(refused.words).not.toContain(email);
  const response4 = "451 4.4.0 queryMx EAI_AGAIN example.com";
  expect(
    answerOf(response4, { command: "RCPT TO", responseCode: 451, response: response4 }),
  ).toMatchObject({ kind: "put off" });
});

test("a server that can't be reached, or greets with a refusal, is away, and has not seen the mail", () => {
  const away = { kind: "away", tried: false };
  const code = "ESOCKET";
  expect(answerOf("connect ECONNREFUSED 192.0.2.1:25", { code, command: "CONN" })).toMatchObject(
    away,
  );
  expect(answerOf("getaddrinfo EAI_AGAIN mail.example", { code: "EDNS" })).toMatchObject(away);
  const response = "554 No service for you";
  const greeting = { code: "EPROTOCOL", command: "CONN", responseCode: 554, response };
  expect(answerOf(`Invalid greeting. response=${response}`, greeting)).toMatchObject(away);
});

test("a connection that breaks in the middle may have brought the mail", () => {
  const broken = { code: "ECONNECTION", command: "CONN" };
  expect(answerOf("Connection closed unexpectedly", broken)).toMatchObject({
    kind: "away",
    tried: true,
  });
});
