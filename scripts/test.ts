// Every check of the project as one list. Runs them all, whatever fails, and ends with `N passed, N failed`, where a
// check without tests of its own counts as one. What failed is said again above that line, with its reason.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import type { JSONReport, JSONReportSuite } from "@playwright/test/reporter";
import type { JsonTestResults } from "vitest/node";
import { findChromium, findFirefox, findWebKit } from "./browsers.ts";

const projectRoot = path.join(import.meta.dirname, "..");
const reports = mkdtempSync(path.join(tmpdir(), "chalkline-test-"));
const vitestReport = path.join(reports, "vitest.json");
const playwrightReport = path.join(reports, "playwright.json");
// The tests begin some hundred processes of the same modules: each takes over what another has compiled.
process.env.NODE_COMPILE_CACHE = path.join(reports, "compiled");

/**
 * Room for a runner's short-lived objects, in MB. By default Node clears it away so often that it is a twentieth of what
 * the tests' processes have to do. The site's own servers keep their defaults: tests start them with a bare environment.
 */
const runnerEnvironment = {
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --max-semi-space-size=64`.trim(),
};

/** `notChecked`: neither passed nor failed, because what it needs isn't there. */
type Outcome = { passed: number; failed: number; notChecked?: boolean; said?: string };

/** Those of a stage run side by side. */
const stages: Record<string, () => Promise<Outcome>>[] = [
  { "the system's programs": installPrograms },
  {
    "formatting and lint": () => quietly("biome", "check", "--error-on-warnings"),
    dependencies: runAudit,
    types: () => quietly("npm", "run", "--silent", "typecheck"),
    build: () => quietly("node", "scripts/prepare.mjs", "build"),
  },
  // Either waits for processes, databases and clocks for nearly half of its time.
  { "unit and integration": runVitest, "end to end": runBrowsers },
];

const notes: string[] = [];
const results: (Outcome & { name: string; seconds: number })[] = [];
for (const stage of stages) {
  console.log(`\n== ${Object.keys(stage).join(", ")}`);
  const runs = Object.entries(stage).map(async ([name, run]) => {
    const startedAt = performance.now();
    const { said, ...outcome } = await run();
    if (said) console.log(`\n${name}:\n${said.trimEnd()}\n`);
    results.push({ name, ...outcome, seconds: (performance.now() - startedAt) / 1000 });
  });
  await Promise.all(runs);
}
rmSync(reports, { recursive: true, force: true });

console.log("");
for (const { name, passed, failed, notChecked, seconds } of results) {
  const verdict = notChecked ? "NOT CHECKED" : failed === 0 ? "ok  " : "FAIL";
  console.log(
    `${verdict}  ${name.padEnd(22)} ${passed} passed, ${failed} failed, ${seconds.toFixed(1)} s`,
  );
}
for (const note of notes) console.log(note);
const sum = (key: "passed" | "failed") => results.reduce((total, result) => total + result[key], 0);
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") === 0 ? 0 : 1;

/** Runs a program of the project's. Its output is kept, or shown as it comes. */
async function command(
  name: string,
  parameters: string[],
  { env = {}, output = "pipe" }: { env?: NodeJS.ProcessEnv; output?: "pipe" | "inherit" } = {},
) {
  const bin = path.join(projectRoot, "node_modules", ".bin");
  const PATH = `${bin}${path.delimiter}${process.env.PATH}`;
  const run = spawn(name, parameters, {
    cwd: projectRoot,
    stdio: ["inherit", output, output],
    env: { ...process.env, ...env, PATH },
  });
  const said = Promise.all([run.stdout, run.stderr].map((stream) => (stream ? text(stream) : "")));
  try {
    const [status] = await once(run, "close");
    return { succeeded: status === 0, said: (await said).join("") };
  } catch (error) {
    return { succeeded: false, said: String(error) };
  }
}

/** A check without tests of its own, whose output is told when it is over. */
async function quietly(name: string, ...parameters: string[]): Promise<Outcome> {
  const { succeeded, said } = await command(name, parameters);
  return { passed: Number(succeeded), failed: Number(!succeeded), said };
}

/** A program that can't be installed is reported by the checks that need it. */
async function installPrograms(): Promise<Outcome> {
  const { said } = await command("node", ["scripts/install-test-programs.ts"]);
  return { passed: 0, failed: 0, said };
}

/** Whether high or critical faults are published of the packages that run in production. */
async function runAudit(): Promise<Outcome> {
  const words = ["audit", "--omit=dev", "--package-lock-only", "--fetch-retries=0", "--json"];
  const { said } = await command("npm", words);
  const found = parse<{ metadata?: { vulnerabilities: Record<string, number> } }>(said);
  if (!found?.metadata) {
    notes.push("NOT CHECKED  the package registry can't be asked for published faults");
    return { passed: 0, failed: 0, notChecked: true };
  }
  const { high = 0, critical = 0 } = found.metadata.vulnerabilities;
  if (high + critical > 0) notes.push("FAILED  npm audit --omit=dev names the faults to deal with");
  return { passed: high + critical === 0 ? 1 : 0, failed: high + critical };
}

async function runVitest(): Promise<Outcome> {
  const { succeeded, said } = await command(
    "vitest",
    ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${vitestReport}`],
    { env: runnerEnvironment },
  );
  const report = readReport<JsonTestResults>(vitestReport);
  for (const { name: file, status, assertionResults } of report?.testResults ?? []) {
    const tests = assertionResults.filter((test) => test.status !== "passed");
    // A file that can't be loaded has no tests.
    if (status === "failed" && tests.length === 0) noteTest("failed", file, "(the file itself)");
    for (const { status, fullName, failureMessages } of tests)
      noteTest(status, file, fullName, failureMessages?.[0]);
  }
  const { numPassedTests = 0, numFailedTests = 0 } = report ?? {};
  return { ...judge(succeeded, numPassedTests, numFailedTests), said };
}

/** All engines in one run, so that no core waits for the last tests of one before another begins. */
async function runBrowsers(): Promise<Outcome> {
  const chromium = findChromium();
  const engines = { chromium, firefox: findFirefox(), webkit: findWebKit() };
  for (const [name, found] of Object.entries(engines)) {
    if (!found)
      notes.push(`NOT CHECKED  ${name} can't be found or installed; see docs/browsers.md`);
  }
  const env = { CHROMIUM_PATH: chromium ?? "", PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport };
  const { succeeded } = await command("playwright", ["test", "--reporter=list,json"], {
    env: { ...runnerEnvironment, ...env },
    output: "inherit",
  });
  const report = readReport<JSONReport>(playwrightReport);
  for (const suite of report?.suites ?? []) noteSuite(suite);
  const { expected = 0, unexpected = 0, flaky = 0 } = report?.stats ?? {};
  return judge(succeeded, expected, unexpected + flaky);
}

function noteSuite({ file, specs, suites = [] }: JSONReportSuite): void {
  for (const { title, ok, tests } of specs) {
    const error = tests[0]?.results[0]?.error?.message;
    if (!ok) noteTest("failed", file, title, error);
  }
  for (const inner of suites) noteSuite(inner);
}

/** The beginning of the reason; all of it is in the run's own output above. */
function noteTest(status: string, file: string, name: string, reason = ""): void {
  const verdict = status === "failed" ? "FAILED" : "NOT CHECKED";
  const begins = stripVTControlCharacters(reason).split("\n").slice(0, 12).join("\n    ");
  notes.push(
    `${verdict}  ${path.relative(projectRoot, path.resolve("tests", file))} › ${name}\n    ${begins}`,
  );
}

/** A run that failed without a failed test, and one without tests, have proven nothing: each counts as a failure. */
function judge(succeeded: boolean, passed: number, failed: number): Outcome {
  return { passed, failed: failed || (succeeded && passed > 0 ? 0 : 1) };
}

function readReport<Report>(file: string): Report | null {
  return existsSync(file) ? parse(readFileSync(file, "utf8")) : null;
}

function parse<Report>(json: string): Report | null {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
