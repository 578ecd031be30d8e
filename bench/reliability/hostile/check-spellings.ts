import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { sitePages } from "#tests/every-page/routes.ts";
import { spellingsOf } from "./spellings.ts";

export type SpellingReport = {
  path: string;
  redirected: number;
  same: number;
  /** Answers that are neither, with what they are. */
  others: string[];
};

const files = [
  "/sitemap.xml",
  "/robots.txt",
  "/feed.xml",
  "/atom.xml",
  "/manifest.webmanifest",
  "/llms.txt",
  "/.well-known/security.txt",
];

/** Headers that say something of one answer alone. */
const ownHeaders = new Set(["date", "x-request-id", "connection", "keep-alive"]);

/** Asks for every route in twenty spellings: each is redirected to the canonical address, or is the very same answer. */
export async function checkSpellings(url: string): Promise<SpellingReport[]> {
  const paths = [
    ...sitePages.filter((page) => !page.path.includes("?")).map((page) => page.path),
    ...files,
  ].filter((path) => path !== "/no-such-page");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const reports: SpellingReport[] = [];
  for (const path of paths) reports.push(await checkPath({ url, agent }, path));
  agent.destroy();
  return reports;
}

type Asker = { url: string; agent: Agent };

async function checkPath(asker: Asker, path: string): Promise<SpellingReport> {
  const report: SpellingReport = { path, redirected: 0, same: 0, others: [] };
  for (const { target, how } of spellingsOf(path)) {
    const query = target.includes("?") ? target.slice(target.indexOf("?")) : "";
    const { status, headers } = await head(asker, target);
    const location = headers.location?.replace(asker.url, "");
    if (
      status === 308 &&
      [path + query, path].includes(location ?? "") &&
      keepsQuery(location, query)
    ) {
      report.redirected += 1;
      continue;
    }
    // Asked anew each time: a page that shows issues is looked at again each second.
    const canonical = await head(asker, path);
    const differing = differences(canonical, { status, headers });
    if (differing.length === 0) report.same += 1;
    else report.others.push(`${how} (${status}: ${differing.slice(0, 3).join(", ")})`);
  }
  return report;
}

/** An empty query may go; any other is kept. */
function keepsQuery(location: string | undefined, query: string): boolean {
  return query.length <= 1 || location?.endsWith(query) === true;
}

type Head = { status: number; headers: IncomingHttpHeaders };

function differences(canonical: Head, other: Head): string[] {
  if (canonical.status !== other.status) {
    return [`${canonical.status} at the canonical address`, `location ${other.headers.location}`];
  }
  const names = new Set([...Object.keys(canonical.headers), ...Object.keys(other.headers)]);
  return [...names].filter(
    (name) =>
      !ownHeaders.has(name) && String(canonical.headers[name]) !== String(other.headers[name]),
  );
}

function head({ url, agent }: Asker, target: string): Promise<Head> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const headers = { "accept-encoding": "br" };
    request({ hostname, port, path: target, agent, headers }, (answer) => {
      answer.resume().once("end", () => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers });
      });
    })
      .once("error", reject)
      .end();
  });
}
