import { expect, test } from "vitest";
import { readMailServer } from "./mail-server.ts";

const empty = { host: "", port: "465", user: "", password: "" };

test.each([
  [{ host: "mail.example.com" }, "smtps://mail.example.com:465"],
  [{ host: "Mail.Example.com:587" }, "smtp://mail.example.com:587"],
  [{ host: "smtp://mail.example.com/", port: "587" }, "smtp://mail.example.com:587"],
  [{ host: "smtps://mail.example.com:2465" }, "smtps://mail.example.com:2465"],
  [{ host: "192.0.2.7", port: "25" }, "smtp://192.0.2.7:25"],
  [{ host: "2001:db8::7" }, "smtps://[2001:db8::7]:465"],
  [{ host: "h.ca", user: "me@h.ca", password: "a#b" }, "smtps://me%40h.ca:a%23b@h.ca:465"],
  // As Google shows it.
  [
    { host: "h.ca", user: "me", password: "abcd efgh ijkl mnop" },
    "smtps://me:abcdefghijklmnop@h.ca:465",
  ],
])("a mail server is understood as it is given: %j", (given, smtpUrl) => {
  expect(readMailServer({ ...empty, ...given }, null)).toEqual({ ok: true, smtpUrl });
});

test.each([
  ["host", { host: "me@gmail.com" }],
  ["host", { host: "https://mail.google.com" }],
  ["host", { host: "mail.example.com/x?y" }],
  ["host", { host: "two words" }],
  ["port", { host: "mail.example.com", port: "smtp" }],
  ["port", { host: "mail.example.com", port: "70000" }],
  ["password", { host: "mail.example.com", user: "me" }],
])("what can't be one is refused at its field, %s: %j", (field, given) => {
  expect(readMailServer({ ...empty, ...given }, null)).toMatchObject({ ok: false, field });
});

test("an empty password stays, for the same server and user alone", () => {
  const kept = "smtp://me:secret@mail.example.com";
  const same = { host: "mail.example.com", port: "587", user: "me", password: "" };
  const read = (change: object) => readMailServer({ ...same, ...change }, kept);
  expect(read({})).toEqual({ ok: true, smtpUrl: kept });
  expect(read({ port: "2525" })).toMatchObject({
    smtpUrl: "smtp://me:secret@mail.example.com:2525",
  });
  expect(read({ host: "evil.example" })).toMatchObject({ ok: false, field: "password" });
  expect(read({ user: "you" })).toMatchObject({ ok: false, field: "password" });
});
