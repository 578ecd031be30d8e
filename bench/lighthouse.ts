import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sitePages } from "#tests/every-page/routes.ts";
import { findChromium } from "../scripts/chromium.ts";
import { median, startBuiltServer } from "./built-server.ts";
import type { Table } from "./report.ts";

/** Beside the packages of the site and not among them: 170 MB that only this measurement needs. */
const lighthouseVersion = "13.5.0";
const folder = path.join(import.meta.dirname, ".tools", `lighthouse-${lighthouseVersion}`);
const program = path.join(folder, "node_modules", "lighthouse", "cli", "index.js");

/** Odd, so that the middle one is a run that happened. */
const runsPerPage = 3;
const runTimeoutMs = 120_000;
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
/** `isFlawless` is 100 everywhere, where asking not to be found is no fault. */
type Run = { scores: number[]; isFlawless: boolean; processor: number } & Record<Timing, number>;

/** Lighthouse with its mobile defaults on every page that may be found, the median of three runs. */
export async function lighthouse(): Promise<Table> {
  installLighthouse();
  const server = await startBuiltServer();
  try {
    // By name, as the pages' own addresses have it.
    const origin = server.url.replace("127.0.0.1", "localhost");
    const rows: string[][] = [];
    for (const { path: page } of sitePages.filter(({ status }) => status === 200)) {
      const runs: Run[] = [];
      for (let run = 0; run < runsPerPage; run += 1) runs.push(await runLighthouse(origin + page));
      const row = rowOf(page, runs);
      console.log(row.join("  "));
      rows.push(row);
    }
    return table(rows);
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

async function runLighthouse(url: string): Promise<Run> {
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

function runProgram(parameters: string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const run = spawn(process.execPath, [program, ...parameters], {
    env: { ...process.env, CHROME_PATH: findChromium() ?? "" },
    stdio: ["ignore", "ignore", "inherit"],
    timeout: runTimeoutMs,
  });
  run.once("error", reject);
  // A run that failed ends with 1 and says why in its report.
  run.once("exit", (code) =>
    code !== null ? resolve() : reject(new Error("Lighthouse did not end in time.")),
  );
  return promise;
}

type Category = { score: number | null; auditRefs: { id: string; weight: number }[] };

type Report = {
  runtimeError?: { code: string; message: string };
  environment: { benchmarkIndex: number };
  categories: Record<string, Category>;
  audits: Record<string, { score: number | null; numericValue?: number }>;
};

function readReport({ categories: scored, audits, environment }: Report): Run {
  const timing = (name: Timing) => audits[timings[name]]?.numericValue ?? Number.NaN;
  return {
    scores: categories.map((name) => Math.round((scored[name]?.score ?? 0) * 100)),
    isFlawless: categories.every((name) => {
      const category = scored[name];
      return category?.score === 1 || (name === "seo" && isUnlisted(category, audits));
    }),
    fcp: timing("fcp"),
    lcp: timing("lcp"),
    tbt: timing("tbt"),
    cls: timing("cls"),
    processor: environment.benchmarkIndex,
  };
}

/** Whether a category loses its points for nothing but that the page asks not to be found. */
function isUnlisted(category: Category | undefined, audits: Report["audits"]): boolean {
  if (!category) return false;
  return category.auditRefs
    .filter(({ weight, id }) => weight > 0 && audits[id]?.score !== null)
    .every(({ id }) => audits[id]?.score === 1 || id === "is-crawlable");
}

function rowOf(page: string, runs: Run[]): string[] {
  const scores = categories.map((_, index) => median(runs.map((run) => run.scores[index] ?? 0)));
  const timed = (name: Timing) => median(runs.map((run) => run[name]));
  const barred = (shown: string, isOver: boolean) => (isOver ? `${shown} !` : shown);
  return [
    `\`${page}\``,
    barred(
      scores.join(" / "),
      runs.filter(({ isFlawless }) => isFlawless).length <= runs.length / 2,
    ),
    barred(timed("fcp").toFixed(0), timed("fcp") >= bars.fcp),
    barred(timed("lcp").toFixed(0), timed("lcp") >= bars.lcp),
    barred(timed("tbt").toFixed(0), timed("tbt") >= bars.tbt),
    barred(timed("cls").toFixed(3), timed("cls") > bars.cls),
    median(runs.map(({ processor }) => processor)).toFixed(0),
  ];
}

function table(rows: string[][]) {
  return {
    title: "Lighthouse on every page",
    note: `Lighthouse ${lighthouseVersion}, its mobile defaults, median of ${runsPerPage}. To hold: 100 in each category; ! is below it. The last column is Lighthouse's own measure of the machine (more is faster).`,
    columns: [
      "page",
      "performance / accessibility / best practices / SEO",
      "FCP ms",
      "LCP ms",
      "TBT ms",
      "CLS",
      "processor",
    ],
    rows,
  };
}
