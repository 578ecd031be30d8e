import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { type Issue, setIssues } from "../issue-table.ts";
import { expect, test } from "../site-test.ts";
import { openAttackedWindow } from "./attacked-window.ts";

// A setting of its own means a server of its own: these tests replace its issues.
const siteSettings = { SITE_NAME: "Chalkline Attacked Desk" };
test.use({ siteSettings });

/** One piece of hostile markup, and the name it has in the corpus: its group and a number. */
type Vector = { id: string; html: string };

const corpus = path.join(import.meta.dirname, "../fixtures/cross-site-scripting");

/** Many to an issue, to be quick; and of those that need one of their own, every twelfth. */
const atOnce = 60;
const triedAlone = 12;

/** Two harmless issues between others: one of words alone, and one that has the styles of quotations too. */
const words = "<p>Nothing but words.</p>".repeat(3);
const rich = "<blockquote>Somebody’s words.</blockquote>".repeat(3);
const harmless = [words, words, rich];

let batches: Vector[][] = [];
const idOf = (batch: Vector[]) => harmless.length + 1 + batches.indexOf(batch);

// Here and not for the file, which every process of the run loads to know its tests.
test.beforeAll(async ({ siteWith }) => {
  const { alone = [], together = [] } = Object.groupBy(readVectors(), (vector) =>
    hidesOthers(vector) ? "alone" : "together",
  );
  batches = [];
  for (let at = 0; at < together.length; at += atOnce)
    batches.push(together.slice(at, at + atOnce));
  batches.push(...alone.filter((_, index) => index % triedAlone === 0).map((vector) => [vector]));
  const bodies = batches.map((batch) => batch.map(({ id, html }) => html + endOf(id)).join("\n"));
  const issues = [...harmless, ...bodies, words].map(
    (html, index): Issue => ({
      id: index + 1,
      title: "A letter to the trades",
      html,
      date: "2026-11-16",
    }),
  );
  await setIssues(await siteWith(siteSettings), issues);
});

test("no published cross-site scripting gets out, though no policy stops it", async ({
  site,
  browser,
}) => {
  const context = await browser.newContext({ bypassCSP: true });
  const open = (id: number) => async (page: Page) => {
    await page.goto(`${site.url}/newsletter/${id}`, { waitUntil: "load" });
  };
  const look = await openAttackedWindow(context, {
    url: site.url,
    openHarmless: [open(2), open(3)],
  });
  expect(batches.length).toBeGreaterThan(10);
  for (const batch of batches) {
    const { escapes, ends } = await look(open(idOf(batch)), batch.length);
    const vectors = batch.map(({ id }) => id);
    // A vector that wasn't on the page hasn't been tried.
    const unseen = batch.length > 1 ? vectors.filter((id) => !ends.includes(id)) : [];
    expect.soft({ escapes, unseen }, vectors.join()).toEqual({ escapes: [], unseen: [] });
  }
  await context.close();
});

/** Every vector of the corpus. The first line of each file names its source, each other line is a vector. */
function readVectors(): Vector[] {
  const files = readdirSync(corpus).filter((name) => name.endsWith(".jsonl"));
  return files.toSorted().flatMap((name) => {
    const [, ...lines] = readFileSync(path.join(corpus, name), "utf8").trimEnd().split("\n");
    return lines.map((line): Vector => JSON.parse(line));
  });
}

/**
 * Whether other vectors in the same issue would not be shown, and so not be tried: one that leaves something open would
 * swallow what follows it, and one with a body tag what comes before it.
 */
function hidesOthers({ id, html }: Vector): boolean {
  const [before, after] = [endOf("another"), endOf(id)];
  const shown = prepareIssueBody(before + html + after).html;
  return !shown.includes(before) || !shown.includes(after);
}

function endOf(id: string): string {
  return `<p>end of ${id}</p>`;
}
