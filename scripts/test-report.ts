// What vitest and Playwright write of a run as JSON, read as one list: which test, of which file, how it ended and why.
import { readFileSync } from "node:fs";
import path from "node:path";

/**
 * `file` is relative to the project's root; `engine` is Playwright's project. `reason` is empty where the test passed.
 * `notChecked`: it neither passed nor failed, since the machine has not got what it needs.
 */
export type TestResult = {
  file: string;
  name: string;
  engine?: string;
  passed: boolean;
  notChecked?: boolean;
  reason: string;
};

/** A file that can't be loaded is one failed result, named after the file. Null where no report can be read. */
export function readVitestReport(reportFile: string, projectRoot: string): TestResult[] | null {
  const report = readJson(reportFile) as VitestReport | null;
  return (
    report?.testResults.flatMap(({ name, status, message, assertionResults }) => {
      const file = path.relative(projectRoot, name);
      const results = assertionResults.map((test) => ({
        file,
        name: test.fullName,
        passed: test.status === "passed",
        notChecked: test.status === "skipped",
        reason: test.failureMessages.join("\n"),
      }));
      const failedOutsideTests =
        status === "failed" && results.every(({ passed, notChecked }) => passed || notChecked);
      return failedOutsideTests
        ? [...results, { file, name: "(the file itself)", passed: false, reason: message }]
        : results;
    }) ?? null
  );
}

/** `testDir` is the folder that Playwright's files are named from. Null where no report can be read. */
export function readPlaywrightReport(reportFile: string, testDir: string): TestResult[] | null {
  const report = readJson(reportFile) as PlaywrightReport | null;
  return report?.suites.flatMap((suite) => resultsOf(suite, testDir, [])) ?? null;
}

function resultsOf(suite: PlaywrightSuite, testDir: string, within: string[]): TestResult[] {
  // The outermost suite is the file.
  const titles = suite.title === suite.file ? within : [...within, suite.title];
  return [
    ...(suite.specs ?? []).flatMap((spec) =>
      spec.tests.map((test) => ({
        file: path.join(testDir, suite.file),
        name: [...titles, spec.title].join(" › "),
        engine: test.projectName,
        passed: test.status === "expected",
        reason: test.results
          .flatMap(({ errors }) => errors)
          .map(({ message }) => message ?? "")
          .join("\n"),
      })),
    ),
    ...(suite.suites ?? []).flatMap((inner) => resultsOf(inner, testDir, titles)),
  ];
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}

type VitestReport = {
  testResults: {
    name: string;
    status: "passed" | "failed";
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
};
type PlaywrightReport = { suites: PlaywrightSuite[] };
type PlaywrightSuite = {
  title: string;
  file: string;
  suites?: PlaywrightSuite[];
  specs?: { title: string; tests: PlaywrightTest[] }[];
};
type PlaywrightTest = {
  projectName: string;
  status: "expected" | "unexpected" | "flaky" | "skipped";
  results: { errors: { message?: string }[] }[];
};
