// Every check of the project as one list. Runs them all, whatever fails, and ends with `N passed, N failed`, where a
// check without tests of its own counts as one. What failed is said again above that line, with its reason.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
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

/**
 * Room for a runner's short-lived objects, in MB. By default Node clears it away so often that it is a twentieth of what
 * the tests' processes have to do. The site's own servers keep their defaults: tests start them with a bare environment.
 */
const runnerEnvironment = {
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --max-semi-space-size=64`.trim(),
};

/** So much of each failed test's reason is said again at the end. */
const reasonLines = 12;

/** `notChecked`: neither passed nor failed, because what it needs isn't there. */
type Count = { passed: number; failed: number; notChecked?: boolean };
const notChecked: Count = { passed: 0, failed: 0, notChecked: true };
/** One count, or several by name where one run answers several questions; what was said, where it was not said at once. */
type Outcome = { count: Count | Map<string, Count>; said?: string };
type Check = { name: string; run: () => Promise<Outcome> };

/** Those of a line run side by side: each of them keeps no more than one core busy for most of its time. */
const checks: Check[][] = [
  [
    { name: "formatting and lint", run: () => quietly("biome", "check", "--error-on-warnings") },
    { name: "dependencies", run: runAudit },
    { name: "types", run: () => quietly("npm", "run", "--silent", "typecheck") },
    { name: "build", run: () => quietly("node", "scripts/prepare.mjs", "build") },
    { name: "the system's programs", run: installPrograms },
  ],
  [{ name: "unit and integration", run: runVitest }],
  [{ name: "end to end", run: runBrowsers }],
];

const failedTests: TestResult[] = [];
const uncheckedTests: TestResult[] = [];
const results: (Count & { name: string; seconds: number })[] = [];
for (const together of checks) {
  for (const { name } of together) console.log(`\n== ${name}`);
  const runs = together.map(async ({ name, run }) => {
    const startedAt = performance.now();
    const outcome = await run();
    return { name, ...outcome, seconds: (performance.now() - startedAt) / 1000 };
  });
  for (const { name, count, said, seconds } of await Promise.all(runs)) {
    if (said) console.log(`\n${name}:\n${said.trimEnd()}`);
    for (const [part, one] of count instanceof Map ? count : [["", count] as const]) {
      results.push({ name: part ? `${name}, ${part}` : name, ...one, seconds });
    }
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
for (const { file, name } of uncheckedTests) console.log(`NOT CHECKED  ${file} › ${name}`);
for (const { file, name, engine, reason } of failedTests) {
  console.log(`\nFAILED  ${file} › ${name}${engine ? ` (${engine})` : ""}`);
  const lines = stripVTControlCharacters(reason).split("\n").slice(0, reasonLines);
  console.log(lines.map((line) => `    ${line}`).join("\n"));
}
const sum = (key: "passed" | "failed") => results.reduce((total, result) => total + result[key], 0);
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") === 0 ? 0 : 1;

/** `said` where its output is kept; otherwise it is shown as it comes. */
async function command(
  name: string,
  parameters: string[],
  { env = {}, isKept = false }: { env?: Record<string, string>; isKept?: boolean } = {},
): Promise<{ succeeded: boolean; said?: string }> {
  const bin = path.join(projectRoot, "node_modules", ".bin");
  const output = isKept ? "pipe" : "inherit";
  const run = spawn(name, parameters, {
    cwd: projectRoot,
    stdio: ["inherit", output, output],
    env: { ...process.env, ...env, PATH: `${bin}${path.delimiter}${process.env.PATH}` },
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
  const { succeeded, said } = await command(name, parameters, { isKept: true });
  return { count: succeeded ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }, said };
}

/** What can't be had is said by the checks that need it. */
async function installPrograms(): Promise<Outcome> {
  const { said } = await command("node", ["scripts/install-test-programs.ts"], { isKept: true });
  return { count: { passed: 0, failed: 0 }, said };
}

async function runAudit(): Promise<Outcome> {
  const audit = await auditDependencies(projectRoot);
  const said = describeAudit(audit);
  if (audit.kind === "unanswered") return { count: notChecked, said };
  const isClean = audit.kind === "clean";
  return { count: isClean ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }, said };
}

async function runVitest(): Promise<Outcome> {
  const { succeeded, said } = await command(
    "vitest",
    ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${vitestReport}`],
    { env: runnerEnvironment },
  );
  return { count: judge(succeeded, readVitestReport(vitestReport, projectRoot) ?? []), said };
}

/** All engines in one run, so that no core waits for the last tests of one before another begins. */
async function runBrowsers(): Promise<Outcome> {
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
  const { succeeded, said } = await command(
    "playwright",
    ["test", ...projects.map((name) => `--project=${name}`), "--reporter=list,json"],
    {
      env: {
        ...runnerEnvironment,
        CHROMIUM_PATH: chromiumPath ?? "",
        PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport,
      },
    },
  );
  const tests = readPlaywrightReport(playwrightReport, "tests") ?? [];
  const allPassed = tests.every(({ passed }) => passed);
  const counts = [...engines].map(([name, { isThere, absent }]) => {
    if (!isThere) return [name, absent] as const;
    const own = tests.filter(({ engine }) => engine === name);
    // A run that failed without a failed test has proven nothing of any engine.
    return [name, judge(succeeded || !allPassed, own)] as const;
  });
  return { count: new Map(counts), said };
}

// A run that failed without a failed test, and one without tests, have proven nothing: each counts as a failure.
function judge(succeeded: boolean, tests: TestResult[]): Count {
  const failed = tests.filter(({ passed, notChecked }) => !passed && !notChecked);
  failedTests.push(...failed);
  const uncheckedHere = tests.filter(({ notChecked }) => notChecked);
  uncheckedTests.push(...uncheckedHere);
  const passed = tests.length - failed.length - uncheckedHere.length;
  return { passed, failed: failed.length || (succeeded && passed > 0 ? 0 : 1) };
}
