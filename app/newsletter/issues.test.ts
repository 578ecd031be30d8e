import { expect, test } from "vitest";
import { cutAtWord, parseIssueId } from "./issues.ts";

test("takes decimal digits from 1 to the largest safe integer", () => {
  expect(parseIssueId("1")).toBe(1);
  expect(parseIssueId("30")).toBe(30);
  expect(parseIssueId("9007199254740991")).toBe(9007199254740991);
});

test.each([
  "",
  "0",
  "-1",
  "+1",
  "01",
  "1.0",
  "1e3",
  "0x1",
  " 1",
  "1 ",
  "1\n",
  "٣",
  "abc",
  "1;drop",
  "9007199254740992",
  "99999999999999999999",
])("refuses %j", (text) => {
  expect(parseIssueId(text)).toBeNull();
});

test("leaves a short text as it is", () => {
  expect(cutAtWord("Time one quote", 14)).toBe("Time one quote");
});

test("cuts after the last whole word that fits, without its comma", () => {
  expect(cutAtWord("Quotes, callbacks and change orders", 20)).toBe("Quotes, callbacks…");
  expect(cutAtWord("Quotes, callbacks, change orders", 20)).toBe("Quotes, callbacks…");
});

test("cuts a word that is longer than the room, never through a character", () => {
  expect(cutAtWord("Aaaaaaaaaaaaaaa", 10)).toBe("Aaaaaaaaa…");
  expect(cutAtWord("🔨🔨🔨🔨🔨🔨", 6)).toBe("🔨🔨…");
});
