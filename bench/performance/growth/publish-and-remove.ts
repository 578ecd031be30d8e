import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sampleBody } from "../../growth/sample-issue.ts";
import type { GrownSite } from "./grown-site.ts";
import { timedFetch } from "./timed-fetch.ts";

/** Milliseconds of the command and, from its end, until what it did was seen everywhere; NaN where that took too long. */
export type Seen = { commandMs: number; everywhereMs: number; lastWhere: string };

const issueBytes = 20_000;
const pollMs = 40;
const giveUpMs = 15_000;

/** Publishes an issue by the operator's command and removes it again, beside visitors; when each was seen everywhere. */
export async function publishAndRemove(
  site: GrownSite,
  url: string,
): Promise<{ published: Seen; removed: Seen }> {
  const folder = await mkdtemp(path.join(tmpdir(), "chalkline-issue-"));
  const word = `zq${randomBytes(6).toString("hex")}`;
  try {
    const file = path.join(folder, "issue.html");
    await writeFile(file, `<p>${word}</p>${sampleBody(Date.now() % 1_000, issueBytes)}`);
    const published = await site.command(
      "issues",
      "publish",
      file,
      "--title",
      `About ${word}`,
      "--json",
    );
    const id = issueIdOf(published.stdout);
    const seen = { ...(await untilEverywhere(url, { word, id }, true)), commandMs: published.ms };
    const removed = await site.command("issues", "remove", id, "--yes", "--json");
    const gone = { ...(await untilEverywhere(url, { word, id }, false)), commandMs: removed.ms };
    return { published: seen, removed: gone };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function issueIdOf(printed: string): string {
  const id = /"id":\s*(\d+)/.exec(printed)?.[1];
  if (!id) throw new Error(`The issue was not published:\n${printed}`);
  return id;
}

/** An answer, or, of a sitemap that is an index of files, the file of the newest issues. */
async function read(url: string, where: string) {
  const answer = await timedFetch(url + where);
  const files = [...answer.text.matchAll(/<sitemap><loc>([^<]+)/g)];
  const newest = files.at(-1)?.[1];
  if (!newest) return answer;
  const { pathname, search } = new URL(newest);
  return await timedFetch(url + pathname + search);
}

/** Looks everywhere at once, again and again, until each place shows the issue, or none does. */
async function untilEverywhere(
  url: string,
  { word, id }: { word: string; id: string },
  isThere: boolean,
): Promise<Omit<Seen, "commandMs">> {
  const rest = `/rest/v1/final_newsletters?select=id,title&id=eq.${id}`;
  const places = [
    { where: "/newsletter", text: word },
    { where: `/newsletter/${id}`, text: word },
    { where: `/newsletter?issue=${id}`, text: word },
    { where: "/newsletter.data", text: word },
    { where: "/feed.xml", text: word },
    { where: "/atom.xml", text: word },
    { where: "/sitemap.xml", text: `/newsletter/${id}<` },
    { where: `/search?q=${word}`, text: `/newsletter/${id}"` },
    { where: rest, text: word },
  ];
  const startedAt = performance.now();
  const waits = await Promise.all(
    places.map(async ({ where, text: wanted }) => {
      while (performance.now() - startedAt < giveUpMs) {
        const { status, text } = await read(url, where);
        if (status !== 0 && status < 500 && text.includes(wanted) === isThere) {
          return { where, ms: performance.now() - startedAt };
        }
        await delay(pollMs);
      }
      return { where, ms: Number.NaN };
    }),
  );
  const last = waits.toSorted((a, b) => (Number.isNaN(b.ms) ? 1 : b.ms) - a.ms)[0];
  const isMissing = waits.some(({ ms }) => Number.isNaN(ms));
  const lastWhere = isMissing
    ? (waits.find(({ ms }) => Number.isNaN(ms))?.where ?? "")
    : (last?.where ?? "");
  return { everywhereMs: isMissing ? Number.NaN : (last?.ms ?? Number.NaN), lastWhere };
}
