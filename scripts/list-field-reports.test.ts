import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";

test("every fault that was found in the field has a test, and every such test its fault", () => {
  const script = path.join(import.meta.dirname, "list-field-reports.ts");
  const { stdout, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout).toContain("| E-A |");
});
