import * as v from "valibot";
import { expect, test } from "vitest";
import { emailAddress, emailShape, multiLineText, singleLineText } from "./text.ts";

const name = singleLineText("Name", { max: 20 });
const message = multiLineText("Message", { max: 20 });

test.each([
  ["Ana\tSouza", "Ana Souza"],
  ["Ana\r\nSouza", "Ana Souza"],
  ["Ana\nSouza\t", "Ana Souza"],
  ["Ana\u2028Souza", "Ana Souza"],
  ["Ana  Souza", "Ana  Souza"],
])("one line of %j is %j", (typed, kept) => {
  expect(v.parse(name, typed)).toBe(kept);
});

test.each(["Ana\u0000", "\u001b[2J", "Ana\u0085x\u009b"])("%j is no line of text", (typed) => {
  expect(v.safeParse(name, typed).success).toBe(false);
});

test.each(["one\n\ttwo\r\nthree", "one\u000btwo\fthree", "one\u0085two\u2028three"])(
  "a message keeps its lines and tabs: %j",
  (typed) => {
    expect(v.parse(message, typed)).toBe(typed);
  },
);

test.each(["one\u0000two", "\u001b[2J", "one\u009b2J"])("%j is no message", (typed) => {
  expect(v.safeParse(message, typed).success).toBe(false);
});

test.each([
  ["a@b.c", true],
  ["a@b.c.d", true],
  ["a@.b.c", true],
  ["a@..c", true],
  ["a@b..", true],
  ["a@.b", false],
  ["a@b.", false],
  ["a@b", false],
  ["@b.c", false],
  ["a@b@c.d", false],
  ["a b@c.d", false],
])("%s has the shape of an address: %s", (typed, expected) => {
  expect(emailShape.test(typed)).toBe(expected);
  // The specification's words, letter by letter.
  expect(/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed)).toBe(expected);
});

// With a shape that looks back, this alone takes an hour, and the test runs out of its time.
test("an address of a million dots is refused without a standstill", () => {
  expect(v.safeParse(emailAddress("Email"), `a@${".".repeat(1_000_000)}@`).success).toBe(false);
});
