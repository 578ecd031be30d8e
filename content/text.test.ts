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

test.each([
  "one\n\ttwo\r\nthree",
  "one\u000btwo\fthree",
  "one\u2028two",
  "👩\u200d🔧 می\u200cخواهم",
])("keeps lines, tabs and joiners of a message: %j", (typed) => {
  expect(v.parse(message, typed)).toBe(typed);
});

test("leaves out what makes a name read backwards", () => {
  expect(v.parse(message, "\u202egnp.exe\u202c")).toBe("gnp.exe\u202c");
});

test.each([
  ["Word's non-breaking hyphen", "24\u001ehour", "24-hour"],
  ["Word's optional hyphen", "auto\u001fmation", "automation"],
  ["a soft hyphen", "auto\u00admation", "automation"],
  ["a PDF's hyphen", "follow\u0002up", "follow-up"],
  ["old Windows quotation marks and dash", "\u0093O\u0092Brien\u0094 \u0096", "“O’Brien” –"],
  ["old Windows euro and ellipsis", "\u0080 5\u0085", "€ 5…"],
  ["what Windows never assigned", "a\u0081b\u009d", "ab"],
  ["a byte-order mark and a zero-width space", "\ufeffAna\u200b", "Ana"],
  ["other controls", "\u0000A\u0003n\u0008a\u007f\u001b", "Ana"],
])("reads %s alike in a line and in a message", (_what, pasted, read) => {
  expect(v.parse(name, pasted)).toBe(read);
  expect(v.parse(message, pasted)).toBe(read);
});

test("a field of nothing but invisible characters is empty", () => {
  expect(
    v.safeParse(singleLineText("Name", { max: 20, required: true }), "\u001f\u200b").success,
  ).toBe(false);
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
