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
])("turns %j into the line %j", (typed, line) => {
  expect(v.parse(name, typed)).toBe(line);
});

test.each(["Ana\u0000", "\u001b[2J", "Ana\u0085x\u009b"])("refuses %j as a line", (typed) => {
  expect(v.safeParse(name, typed).success).toBe(false);
});

test.each(["one\n\ttwo\r\nthree", "one\u000btwo\fthree", "one\u0085two\u2028three"])(
  "keeps the lines and tabs of a message: %j",
  (typed) => {
    expect(v.parse(message, typed)).toBe(typed);
  },
);

test.each(["one\u0000two", "\u001b[2J", "one\u009b2J"])("refuses %j as a message", (typed) => {
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
])("accepts %s as an address: %s", (typed, expected) => {
  expect(emailShape.test(typed)).toBe(expected);
  // The specification's shape, written out.
  expect(/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed)).toBe(expected);
});

// A backtracking expression would take an hour.
test("refuses an address of a million dots in linear time", () => {
  expect(v.safeParse(emailAddress("Email"), `a@${".".repeat(1_000_000)}@`).success).toBe(false);
});
