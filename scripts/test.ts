// Every check of the project as one list. Runs them all, whatever fails, and ends with `N passed, N failed`, where a
// check without tests of its own counts as one. What failed is said again above that line, with its reason.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { auditDependencies, describeAudit } from "./audit-dependencies.ts";
import { findOrInstallChromium } from "./chromium.ts";
import { findOrInstallFirefox } from "./firefox.ts";
import { readPlaywrightReport, readVitestReport, type TestResult } from "./test-report.ts";
import { findOrInstallWebKit } from "./webkit.ts";

const projectRoot = path.join(import.meta.dirname, "..");
const reports = mkdtempSync(path.join(tmpdir(), "chalkline-test-"));
const vitestReport = path.join(reports, "vitest.json");
const playwrightReport = path.join(reports, "playwright.json");
// The tests begin some hundred processes of the same modules: each takes over what another has compiled.
process.env.NODE_COMPILE_CACHE = path.join(reports, "compiled");

/** So much of each failed test's reason is said again at the end. */
const reasonLines = 12;

/** `notChecked`: neither passed nor failed, because what it needs isn't there. */
type Count = { passed: number; failed: number; notChecked?: boolean };
const notChecked: Count = { passed: 0, failed: 0, notChecked: true };
/** `run` gives one count, or several by name where one run answers several questions. */
type Check = { name: string; run: () => Count | Promise<Count> | Map<string, Count> };

const checks: Check[] = [
  { name: "formatting and lint", run: () => once("biome", "check", "--error-on-warnings") },
  { name: "dependencies", run: runAudit },
  { name: "types", run: () => once("npm", "run", "--silent", "typecheck") },
  { name: "unit and integration", run: runVitest },
  { name: "build", run: () => once("node", "scripts/prepare.mjs", "build") },
  { name: "end to end", run: runBrowsers },
];

const failedTests: TestResult[] = [];
const results: (Count & { name: string; seconds: number })[] = [];
for (const { name, run } of checks) {
  console.log(`\n== ${name}`);
  const startedAt = performance.now();
  const found = await run();
  const seconds = (performance.now() - startedAt) / 1000;
  for (const [part, count] of found instanceof Map ? found : [["", found] as const]) {
    results.push({ name: part ? `${name}, ${part}` : name, ...count, seconds });
  }
}
rmSync(reports, { recursive: true, force: true });

console.log("");
for (const { name, passed, failed, notChecked, seconds } of results) {
  const verdict = notChecked ? "NOT CHECKED" : failed === 0 ? "ok  " : "FAIL";
  console.log(
    `${verdict}  ${name.padEnd(22)} ${passed} passed, ${failed} failed, ${seconds.toFixed(1)} s`,
  );
}
for (const { file, name, engine, reason } of failedTests) {
  console.log(`\nFAILED  ${file} › ${name}${engine ? ` (${engine})` : ""}`);
  const lines = stripVTControlCharacters(reason).split("\n").slice(0, reasonLines);
  console.log(lines.map((line) => `    ${line}`).join("\n"));
}
const sum = (key: "passed" | "failed") => results.reduce((total, result) => total + result[key], 0);
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") === 0 ? 0 : 1;

function command(name: string, parameters: string[], env: Record<string, string> = {}): boolean {
  const bin = path.join(projectRoot, "node_modules", ".bin");
  const run = spawnSync(name, parameters, {
    cwd: projectRoot,
    stdio: "inherit",
    env: { ...process.env, ...env, PATH: `${bin}${path.delimiter}${process.env.PATH}` },
  });
  if (run.error) console.error(run.error.message);
  return run.status === 0;
}

function once(name: string, ...parameters: string[]): Count {
  return command(name, parameters) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function runAudit(): Promise<Count> {
  const audit = await auditDependencies(projectRoot);
  console.log(describeAudit(audit));
  if (audit.kind === "unanswered") return notChecked;
  return audit.kind === "clean" ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

function runVitest(): Count {
  const succeeded = command("vitest", [
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${vitestReport}`,
  ]);
  return judge(succeeded, readVitestReport(vitestReport, projectRoot) ?? []);
}

/** All engines in one run, so that no core waits for the last tests of one before another begins. */
function runBrowsers(): Map<string, Count> {
  const chromiumPath = findOrInstallChromium();
  // Engines that the system's packages bring: where they can't be had, what they show is not known.
  const engines = new Map<string, { isThere: boolean; absent: Count }>([
    ["chromium", { isThere: chromiumPath !== null, absent: { passed: 0, failed: 1 } }],
    // The same browser, before a site on PostgreSQL.
    ["chromium-postgres", { isThere: chromiumPath !== null, absent: { passed: 0, failed: 1 } }],
    ["firefox", { isThere: findOrInstallFirefox() !== null, absent: notChecked }],
    ["webkit", { isThere: findOrInstallWebKit() !== null, absent: notChecked }],
  ]);
  for (const [engine, { isThere }] of engines) {
    if (!isThere)
      console.error(`No ${engine} was found or could be installed; see docs/browsers.md.`);
  }
  const projects = [...engines].filter(([, { isThere }]) => isThere).map(([engine]) => engine);
  const succeeded = command(
    "playwright",
    ["test", ...projects.map((name) => `--project=${name}`), "--reporter=list,json"],
    { CHROMIUM_PATH: chromiumPath ?? "", PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport },
  );
  const tests = readPlaywrightReport(playwrightReport, "tests") ?? [];
  const allPassed = tests.every(({ passed }) => passed);
  return new Map(
    [...engines].map(([name, { isThere, absent }]) => {
      if (!isThere) return [name, absent];
      const own = tests.filter(({ engine }) => engine === name);
      // A run that failed without a failed test has proven nothing of any engine.
      return [name, judge(succeeded || !allPassed, own)];
    }),
  );
}

// A run that failed without a failed test, and one without tests, have proven nothing: each counts as a failure.
function judge(succeeded: boolean, tests: TestResult[]): Count {
  const failed = tests.filter(({ passed }) => !passed);
  failedTests.push(...failed);
  const passed = tests.length - failed.length;
  return { passed, failed: failed.length || (succeeded && passed > 0 ? 0 : 1) };
}
