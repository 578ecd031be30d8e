import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "@playwright/test";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { type ChangedSite, type Issue, setIssues } from "../../issue-table.ts";
import { untilScriptsAreUp } from "../../scripts-are-up.ts";
import { type AttackedBrowser, openAttackedBrowser } from "./attacked-browser.ts";

/** One piece of hostile markup, and the name it has in the corpus: its group and a number. */
type Vector = { id: string; html: string };

const corpus = path.join(import.meta.dirname, "../../fixtures/cross-site-scripting");

/** Every vector of the corpus. The first line of each file names its source, each other line is a vector. */
export function readVectors(): Vector[] {
  const files = readdirSync(corpus).filter((name) => name.endsWith(".jsonl"));
  return files.toSorted().flatMap((name) => {
    const [, ...lines] = readFileSync(path.join(corpus, name), "utf8").trimEnd().split("\n");
    return lines.map((line): Vector => JSON.parse(line));
  });
}

/** Hostile markup that shares one issue, and the issue's id. */
export type Batch = {
  id: number;
  vectors: Vector[];
};

/** What the issue with these vectors did. */
export type Escape = { vectorIds: string[]; what: string[] };

/**
 * Three harmless issues come first, so that two of them are opened from an issue and lead to one, as all others are: one of
 * words alone, and one that has the styles of quotations, pictures and code too.
 */
const [firstId, plainId, richId] = [1, 2, 3];
const title = "A letter to the trades";
const date = "2026-11-16";
const harmless = "<p>Nothing but words.</p>".repeat(3);
const rich = "<blockquote>Somebody’s words.</blockquote>".repeat(3);

/**
 * Vectors as they share issues: up to `size` to an issue. One that leaves something open would swallow what follows it,
 * and one with a body tag what comes before it, so those come last, with an issue each.
 */
export function inBatches(
  vectors: readonly Vector[],
  size: number,
  alone: ReadonlySet<Vector>,
): Batch[] {
  const together = vectors.filter((vector) => !alone.has(vector));
  const groups: Vector[][] = [];
  for (let at = 0; at < together.length; at += size) groups.push(together.slice(at, at + size));
  for (const vector of vectors) if (alone.has(vector)) groups.push([vector]);
  return groups.map((group, at) => ({ id: richId + 1 + at, vectors: group }));
}

/** Those that need an issue of their own. Each is prepared as an issue's body is, so of a whole corpus it takes seconds. */
export function findAlone(vectors: readonly Vector[]): Set<Vector> {
  return new Set(vectors.filter((vector) => hidesOthers(vector)));
}

/** Whether other vectors in the same issue would not be shown, and so not be tried. */
function hidesOthers({ id, html }: Vector): boolean {
  const [before, after] = [endOf("another"), endOf(id)];
  const shown = prepareIssueBody(before + html + after).html;
  return !shown.includes(before) || !shown.includes(after);
}

function endOf(id: string): string {
  return `<p>end of ${id}</p>`;
}

/** Makes the batches the site's issues, with harmless ones around them. */
export async function publishBatches(site: ChangedSite, batches: readonly Batch[]): Promise<void> {
  const issue = (id: number, html: string): Issue => ({ id, title, date, html });
  await setIssues(site, [
    issue(firstId, harmless),
    issue(plainId, harmless),
    issue(richId, rich),
    ...batches.map(({ id, vectors }) =>
      issue(id, vectors.map((vector) => vector.html + endOf(vector.id)).join("\n")),
    ),
    issue(richId + batches.length + 1, harmless),
  ]);
}

type TryOptions = {
  site: { url: string };
  browser: Browser;
  batches: readonly Batch[];
  withoutPolicy: boolean;
  /** By its address, or by script from the issue before it, as a reader goes from one to the next. */
  way: "by address" | "by script";
};

/** Opens each published batch and gives what got out. Nobody may publish anything meanwhile. */
export async function tryBatches(options: TryOptions): Promise<Escape[]> {
  const { site, browser, batches, withoutPolicy, way } = options;
  const ways = {
    "by address": (page: Page, id: number) => goTo(page, site.url, id),
    "by script": goToNext,
  };
  const window = await openAttackedBrowser(browser, {
    url: site.url,
    withoutPolicy,
    openHarmless: [
      async (page) => {
        await goTo(page, site.url, firstId);
        await ways[way](page, plainId);
      },
      (page) => ways[way](page, richId),
    ],
  });
  const escapes: Escape[] = [];
  try {
    for (const batch of batches) {
      const open = (page: Page) => ways[way](page, batch.id);
      escapes.push(...(await tryBatch(window, batch, open)));
    }
  } finally {
    await window.close();
  }
  return escapes;
}

async function tryBatch(
  window: AttackedBrowser,
  { vectors }: Batch,
  open: (page: Page) => Promise<void>,
): Promise<Escape[]> {
  const { escapes, ends } = await window.look(open, vectors.length);
  const missing = vectors.length > 1 ? vectors.filter(({ id }) => !ends.includes(id)) : [];
  // A vector that wasn't on the page hasn't been tried.
  for (const { id } of missing) escapes.push(`${id} was hidden by another`);
  return escapes.length === 0
    ? []
    : [{ vectorIds: vectors.map(({ id }) => id), what: [...new Set(escapes)] }];
}

async function goTo(page: Page, url: string, id: number): Promise<void> {
  await page.goto(`${url}/newsletter/${id}`, { waitUntil: "load" });
  await untilScriptsAreUp(page);
}

async function goToNext(page: Page, id: number): Promise<void> {
  // By a key: a picture that can't be had may move the link between a pointer's going down and up.
  await page.locator("a[rel=next]").press("Enter");
  // The address changes before the page does.
  await page.locator(`a[rel=prev][href="/newsletter/${id - 1}"]`).waitFor({ state: "attached" });
}
