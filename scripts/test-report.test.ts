import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readPlaywrightReport, readVitestReport } from "./test-report.ts";

function reportFile(report: object): string {
  const folder = mkdtempSync(path.join(tmpdir(), "test-report-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "report.json");
  writeFileSync(file, JSON.stringify(report));
  return file;
}

test("a failed test has its file, its whole name and its reason; a file that can't be loaded is a failure", () => {
  const report = reportFile({
    testResults: [
      {
        name: "/project/backend/a.test.ts",
        status: "failed",
        message: "",
        assertionResults: [
          { fullName: "one adds", status: "passed", failureMessages: [] },
          { fullName: "one takes", status: "failed", failureMessages: ["expected 1 to be 2"] },
          { fullName: "one asks nginx", status: "skipped", failureMessages: [] },
        ],
      },
      {
        name: "/project/b.test.ts",
        status: "failed",
        message: "Cannot find module './gone.ts'",
        assertionResults: [],
      },
    ],
  });
  const a = { file: "backend/a.test.ts", passed: true, notChecked: false, reason: "" };
  expect(readVitestReport(report, "/project")).toEqual([
    { ...a, name: "one adds" },
    { ...a, name: "one takes", passed: false, reason: "expected 1 to be 2" },
    { ...a, name: "one asks nginx", passed: false, notChecked: true },
    {
      file: "b.test.ts",
      name: "(the file itself)",
      passed: false,
      reason: "Cannot find module './gone.ts'",
    },
  ]);
});

test("a browser's test has its engine; skipped and flaky ones have not passed", () => {
  const result = (status: string, ...messages: string[]) => ({
    projectName: "webkit",
    status,
    results: [{ errors: messages.map((message) => ({ message })) }],
  });
  const report = reportFile({
    suites: [
      {
        title: "a.spec.ts",
        file: "a.spec.ts",
        specs: [{ title: "opens", tests: [result("expected")] }],
        suites: [
          {
            title: "a form",
            file: "a.spec.ts",
            specs: [
              { title: "sends", tests: [result("unexpected", "no notice")] },
              { title: "waits", tests: [result("skipped")] },
              { title: "clears", tests: [result("flaky", "too early")] },
            ],
          },
        ],
      },
    ],
  });
  const found = readPlaywrightReport(report, "tests") ?? [];
  expect(found.map(({ name, passed, reason }) => [name, passed, reason])).toEqual([
    ["opens", true, ""],
    ["a form › sends", false, "no notice"],
    ["a form › waits", false, ""],
    ["a form › clears", false, "too early"],
  ]);
  expect(found[0]).toMatchObject({ file: "tests/a.spec.ts", engine: "webkit" });
});

test("without a report there is no list", () => {
  expect(readVitestReport("/not/there.json", "/project")).toBeNull();
});
