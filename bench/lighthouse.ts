import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { sitePages } from "#tests/every-page/routes.ts";
import { findChromium } from "../scripts/browsers.ts";
import { median, startBuiltServer } from "./built-server.ts";
import type { Table } from "./report.ts";

/** Fetched by npx and not among the site's packages: 170 MB that only this measurement needs. */
const lighthouseVersion = "13.5.0";

/** Odd, so that the middle one is a run that happened. */
const runsPerPage = process.argv.includes("--quick") ? 1 : 3;

const categories = ["performance", "accessibility", "best-practices", "seo"];
/** Each with what it is to stay below, in milliseconds. */
const timings = {
  "first-contentful-paint": 800,
  "largest-contentful-paint": 950,
  "total-blocking-time": 30,
};

type Report = {
  runtimeError?: { message: string };
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { numericValue?: number }>;
};

/**
 * Lighthouse with its mobile defaults on every page that may be found, the median of three runs, and in turns with it the
 * same page with its script files blocked: its largest paint and blocking are simulated, so they judge the machine too.
 */
export async function lighthouse(): Promise<Table> {
  const server = await startBuiltServer();
  try {
    // By name, as the pages' own addresses have it.
    const origin = server.url.replace("127.0.0.1", "localhost");
    const rows: string[][] = [];
    const only = process.argv.slice(2).filter((word) => /^\/[\w/?=-]*$/.test(word));
    const pages = sitePages.filter(({ status, path }) =>
      only.length > 0 ? only.includes(path) : status === 200,
    );
    for (const { path: page } of pages) {
      const runs: Report[] = [];
      const blocked: Report[] = [];
      for (let run = 0; run < runsPerPage; run += 1) {
        runs.push(await runLighthouse(origin + page));
        blocked.push(await runLighthouse(origin + page, "--blocked-url-patterns=*/assets/*.js"));
      }
      const row = rowOf(page, runs, blocked);
      console.log(row.join("  "));
      rows.push(row);
    }
    return {
      title: "Lighthouse on every page",
      note: `Lighthouse ${lighthouseVersion}, its mobile defaults, median of ${runsPerPage}, in turns with the page's script files blocked (after the stroke). To hold: 100 in each category, and 63 for SEO where a page asks not to be found; ! is below it.`,
      columns:
        "page|performance / accessibility / best practices / SEO|performance, blocked|FCP ms|LCP ms|TBT ms|CLS".split(
          "|",
        ),
      rows,
    };
  } finally {
    await server.stop();
  }
}

async function runLighthouse(url: string, ...more: string[]): Promise<Report> {
  const words = [
    ...["--yes", `lighthouse@${lighthouseVersion}`, url, "--output=json", "--quiet"],
    ...["--no-enable-error-reporting", "--chrome-flags=--headless=new --no-sandbox"],
    ...[`--only-categories=${categories.join(",")}`, ...more],
  ];
  const env = { ...process.env, CHROME_PATH: findChromium() ?? "" };
  const options = { env, timeout: 300_000, maxBuffer: 2 ** 26 };
  for (let tries = 1; ; tries += 1) {
    // A run that failed ends with 1 and says why in its report: on a busy machine the browser now and then loses the
    // beginning of a recording.
    const { stdout } = await promisify(execFile)("npx", words, options).catch((error) => {
      if (error.killed || !error.stdout) throw error;
      return error as { stdout: string };
    });
    const report: Report = JSON.parse(stdout);
    if (!report.runtimeError) return report;
    if (tries === 3) throw new Error(`${url}: ${report.runtimeError.message}`);
  }
}

function rowOf(page: string, runs: Report[], blocked: Report[]): string[] {
  const medianOf = (reports: Report[], read: (report: Report) => number | null | undefined) =>
    median(reports.map((report) => read(report) ?? Number.NaN));
  const scoreOf = (reports: Report[], name: string) =>
    Math.round(medianOf(reports, (report) => report.categories[name]?.score) * 100);
  const timeOf = (reports: Report[], audit: string) =>
    medianOf(reports, ({ audits }) => audits[audit]?.numericValue);
  const barred = (shown: string, isOver: boolean) => (isOver ? `${shown} !` : shown);
  const timed = Object.entries(timings).map(([audit, bar]) => {
    const [time = 0, other = 0] = [runs, blocked].map((reports) => timeOf(reports, audit));
    return barred(`${time.toFixed(0)} / ${other.toFixed(0)}`, time >= bar);
  });
  const shift = timeOf(runs, "cumulative-layout-shift");
  const scores = categories.map((name) => scoreOf(runs, name));
  // Pages that ask not to be found lose points for that alone.
  const isBelow = scores.some((score, index) => score < 100 && !(index === 3 && score === 63));
  const scored = barred(scores.join(" / "), isBelow);
  const withoutScripts = `${scoreOf(blocked, "performance")}`;
  return [`\`${page}\``, scored, withoutScripts, ...timed, barred(shift.toFixed(3), shift > 0)];
}
