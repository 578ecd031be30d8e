import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { patienceMs } from "#tests/patience.ts";
import { type BodyPreparer, createBodyPreparer } from "./body-preparer.ts";
import { prepareIssueBody } from "./prepare-issue-body.ts";

let preparer: BodyPreparer | null = null;

afterEach(async () => {
  await preparer?.close();
});

test("prepares on another thread what this one would", async () => {
  preparer = createBodyPreparer();
  const content = "<h1>One</h1><p onclick=x>Two <script>three</script></p>";
  const [first, second] = await Promise.all([
    preparer.prepare(content),
    preparer.prepare("<p>Other</p>"),
  ]);
  expect(first).toEqual({ body: prepareIssueBody(content), isWhole: true });
  expect(second.body.html).toBe("<p>Other</p>");
});

test("prepares one after the other, with time between", async () => {
  preparer = createBodyPreparer({ timeoutMs: patienceMs });
  for (const word of ["One", "Two", "Three"]) {
    const { body, isWhole } = await preparer.prepare(`<p>${word}</p>`);
    expect([body.html, isWhole]).toEqual([`<p>${word}</p>`, true]);
    await delay(50);
  }
});

test("a body that takes too long is shown by its words, and the next one is whole", async () => {
  preparer = createBodyPreparer({ timeoutMs: 50 });
  const nested = `${"<div>".repeat(170_000)}Words &amp; <b>more</b>${"</div>".repeat(170_000)}`;
  const late = await preparer.prepare(nested);
  expect(late.isWhole).toBe(false);
  expect(late.body.html).toBe("<p>Words &amp;</p><p>more</p>");
  preparer = createBodyPreparer();
  expect(await preparer.prepare("<p>Next</p>")).toMatchObject({ isWhole: true });
});

test("2 MB of nested elements leave this thread free", async () => {
  preparer = createBodyPreparer();
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 10);
  await preparer.prepare(`${"<div>".repeat(180_000)}deep${"</div>".repeat(180_000)}`);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(10);
});

test("refuses after closing", async () => {
  preparer = createBodyPreparer();
  await preparer.close();
  await expect(preparer.prepare("<p>Late</p>")).rejects.toThrow("closed");
});
