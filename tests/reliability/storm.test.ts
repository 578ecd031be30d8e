import { expect, test } from "vitest";
import { raiseStorm } from "./storm.ts";

test("a storm of sign-ups over two servers and a kill mails a stranger once, and drops nothing", async () => {
  const storm = await raiseStorm(400);
  expect(storm.answered).toBeGreaterThan(100);
  expect(storm.mailsToStranger).toBe(1);
  expect(storm.kept).toBe(storm.spellings);
  expect(storm.bystandersMailed).toBe(storm.bystanders);
});
