// Every check of the project as one list. Runs them all, whatever fails, and ends with `N passed, N failed`, where a
// check without tests of its own counts as one.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { auditDependencies, describeAudit } from "./audit-dependencies.ts";
import { findOrInstallChromium } from "./chromium.ts";
import { findOrInstallFirefox } from "./firefox.ts";
import { findOrInstallWebKit } from "./webkit.ts";

const projectRoot = path.join(import.meta.dirname, "..");
const reports = mkdtempSync(path.join(tmpdir(), "chalkline-test-"));
const vitestReport = path.join(reports, "vitest.json");
const playwrightReport = path.join(reports, "playwright.json");

/** `notChecked`: neither passed nor failed, because what it needs isn't there. */
type Count = { passed: number; failed: number; notChecked?: boolean };
type Check = { name: string; run: () => Count | Promise<Count> };

const checks: Check[] = [
  { name: "formatting and lint", run: () => once("biome", "check", "--error-on-warnings") },
  { name: "dependencies", run: runAudit },
  { name: "types", run: () => once("npm", "run", "--silent", "typecheck") },
  { name: "unit and integration", run: runVitest },
  { name: "build", run: () => once("node", "scripts/prepare.mjs", "build") },
  { name: "end to end, Chromium", run: runChromium },
  { name: "end to end, Firefox", run: () => runOtherEngine("firefox", findOrInstallFirefox) },
  { name: "end to end, WebKit", run: () => runOtherEngine("webkit", findOrInstallWebKit) },
];

const results: (Count & { name: string; seconds: number })[] = [];
for (const { name, run } of checks) {
  console.log(`\n== ${name}`);
  const startedAt = performance.now();
  const count = await run();
  results.push({ name, ...count, seconds: (performance.now() - startedAt) / 1000 });
}
rmSync(reports, { recursive: true, force: true });

console.log("");
for (const { name, passed, failed, notChecked, seconds } of results) {
  const verdict = notChecked ? "NOT CHECKED" : failed === 0 ? "ok  " : "FAIL";
  console.log(
    `${verdict}  ${name.padEnd(22)} ${passed} passed, ${failed} failed, ${seconds.toFixed(1)} s`,
  );
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
  if (audit.kind === "unanswered") return { passed: 0, failed: 0, notChecked: true };
  return audit.kind === "clean" ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

function runVitest(): Count {
  const succeeded = command("vitest", [
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${vitestReport}`,
  ]);
  const report = readReport(vitestReport) as VitestReport | null;
  const passed = report?.numPassedTests ?? 0;
  return judge(succeeded, passed, (report?.numTotalTests ?? 0) - passed);
}

function runChromium(): Count {
  const chromiumPath = findOrInstallChromium();
  if (!chromiumPath) {
    console.error(
      "No Chromium was found and none could be installed. Install one, or set CHROMIUM_PATH to it.",
    );
    return { passed: 0, failed: 1 };
  }
  return runPlaywright("chromium", { CHROMIUM_PATH: chromiumPath });
}

/** An engine that the system's packages bring: where they can't be had, what it shows is not known. */
function runOtherEngine(project: string, findOrInstall: () => unknown): Count {
  if (findOrInstall()) return runPlaywright(project);
  console.error("It was not found here and could not be installed; docs/browsers.md says how.");
  return { passed: 0, failed: 0, notChecked: true };
}

function runPlaywright(project: string, env: Record<string, string> = {}): Count {
  rmSync(playwrightReport, { force: true });
  const succeeded = command(
    "playwright",
    ["test", `--project=${project}`, "--reporter=list,json"],
    { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport },
  );
  const stats = (readReport(playwrightReport) as PlaywrightReport | null)?.stats;
  if (!stats) return judge(succeeded, 0, 0);
  return judge(succeeded, stats.expected, stats.unexpected + stats.flaky + stats.skipped);
}

type VitestReport = { numPassedTests: number; numTotalTests: number };
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
};

// A suite that can't be loaded has no failed test, and one without tests has proven nothing: each counts as a failure.
function judge(succeeded: boolean, passed: number, failed: number): Count {
  return { passed, failed: (!succeeded || passed === 0) && failed === 0 ? 1 : failed };
}

function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}
