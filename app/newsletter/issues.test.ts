import { expect, test } from "vitest";
import { cutAtWord } from "./issues.ts";

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
