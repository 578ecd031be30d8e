import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { sitePages } from "#tests/every-page/routes.ts";
import { findChromium } from "../scripts/browsers.ts";
import { median, startBuiltServer } from "./built-server.ts";
import type { Table } from "./report.ts";

/** Beside the packages of the site and not among them: 170 MB that only this measurement needs. */
const lighthouseVersion = "13.5.0";
const folder = path.join(import.meta.dirname, ".tools", `lighthouse-${lighthouseVersion}`);
const program = path.join(folder, "node_modules", "lighthouse", "cli", "index.js");

/** Odd, so that the middle one is a run that happened. */
const runsPerPage = process.argv.includes("--quick") ? 1 : 3;
/** On a busy machine the browser now and then loses the beginning of a recording; such a run says nothing. */
const triesPerRun = 3;

const bars = { fcp: 800, lcp: 950, tbt: 30, cls: 0 };
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
const timings = {
  fcp: "first-contentful-paint",
  lcp: "largest-contentful-paint",
  tbt: "total-blocking-time",
  cls: "cumulative-layout-shift",
} as const;

type Timing = keyof typeof timings;
type Run = { scores: number[]; processor: number } & Record<Timing, number>;

/**
 * Lighthouse with its mobile defaults on every page that may be found, the median of three runs, and in turns with it the
 * same page with its script files blocked: its largest paint and blocking are simulated, so they judge the machine too.
 */
export async function lighthouse(): Promise<Table> {
  installLighthouse();
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
      const runs: Run[] = [];
      const blocked: Run[] = [];
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
      note: `Lighthouse ${lighthouseVersion}, its mobile defaults, median of ${runsPerPage}, in turns with the page's script files blocked (after the stroke). To hold: 100 in each category, and 63 for SEO where a page asks not to be found; ! is below it. The last column is Lighthouse's own measure of the machine (more is faster).`,
      columns:
        "page|performance / accessibility / best practices / SEO|performance, blocked|FCP ms|LCP ms|TBT ms|CLS|processor".split(
          "|",
        ),
      rows,
    };
  } finally {
    await server.stop();
  }
}

function installLighthouse(): void {
  if (existsSync(program)) return;
  console.log(
    `Installing lighthouse ${lighthouseVersion} into ${path.relative(process.cwd(), folder)}.`,
  );
  const install = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", [...install, `lighthouse@${lighthouseVersion}`], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("Lighthouse could not be installed.");
}

async function runLighthouse(url: string, ...more: string[]): Promise<Run> {
  const results = await mkdtemp(path.join(tmpdir(), "chalkline-lighthouse-"));
  const output = path.join(results, "report.json");
  try {
    const parameters = [
      url,
      "--output=json",
      `--output-path=${output}`,
      "--quiet",
      "--no-enable-error-reporting",
      "--chrome-flags=--headless=new --no-sandbox",
      `--only-categories=${categories.join(",")}`,
      ...more,
    ];
    for (let tries = 1; ; tries += 1) {
      await runProgram(parameters);
      const report: Report = JSON.parse(await readFile(output, "utf8"));
      if (!report.runtimeError) return readReport(report);
      if (tries === triesPerRun) throw new Error(`${url}: ${report.runtimeError.message}`);
    }
  } finally {
    await rm(results, { recursive: true, force: true });
  }
}

/** A run that failed ends with 1 and says why in its report. */
async function runProgram(parameters: string[]): Promise<void> {
  const options = {
    env: { ...process.env, CHROME_PATH: findChromium() ?? "" },
    timeout: 120_000,
  };
  const run = promisify(execFile)(process.execPath, [program, ...parameters], options);
  await run.catch((error) => {
    if (error.killed || typeof error.code !== "number") throw error;
  });
}

type Report = {
  runtimeError?: { code: string; message: string };
  environment: { benchmarkIndex: number };
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { numericValue?: number }>;
};

function readReport({ categories: scored, audits, environment }: Report): Run {
  const timing = (name: Timing) => audits[timings[name]]?.numericValue ?? Number.NaN;
  return {
    scores: categories.map((name) => Math.round((scored[name]?.score ?? 0) * 100)),
    ...{ fcp: timing("fcp"), lcp: timing("lcp"), tbt: timing("tbt"), cls: timing("cls") },
    processor: environment.benchmarkIndex,
  };
}

function rowOf(page: string, runs: Run[], blocked: Run[]): string[] {
  const scores = categories.map((_, index) => median(runs.map((run) => run.scores[index] ?? 0)));
  const barred = (shown: string, isOver: boolean) => (isOver ? `${shown} !` : shown);
  const timed = (["fcp", "lcp", "tbt", "cls"] as const).map((name) => {
    const [time, other] = [runs, blocked].map((all) => median(all.map((run) => run[name])));
    if (time === undefined || other === undefined) return "–";
    return name === "cls"
      ? barred(time.toFixed(3), time > bars.cls)
      : barred(`${time.toFixed(0)} / ${other.toFixed(0)}`, time >= bars[name]);
  });
  const processor = median(runs.map((run) => run.processor)).toFixed(0);
  // Pages that ask not to be found lose points for that alone.
  const [, , , seo = 0] = scores;
  const isBelow = scores.slice(0, 3).some((score) => score < 100) || ![63, 100].includes(seo);
  const scored = barred(scores.join(" / "), isBelow);
  const withoutScripts = `${median(blocked.map((run) => run.scores[0] ?? 0))}`;
  return [`\`${page}\``, scored, withoutScripts, ...timed, processor];
}
