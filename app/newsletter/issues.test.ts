import { expect, test } from "vitest";
import { cutAtWord } from "./issues.ts";

test.each([
  ["Time one quote", 14, "Time one quote"],
  ["Quotes, callbacks and change orders", 20, "Quotes, callbacks…"],
  ["Quotes, callbacks, change orders", 20, "Quotes, callbacks…"],
  ["Aaaaaaaaaaaaaaa", 10, "Aaaaaaaaa…"],
  ["🔨🔨🔨🔨🔨🔨", 6, "🔨🔨…"],
])("%s, cut after %i characters, is %s", (text, length, cut) => {
  expect(cutAtWord(text, length)).toBe(cut);
});
