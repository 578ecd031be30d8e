import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { sampleAudit } from "#content/sample-audit.ts";
import { hashLine, printedHash } from "./printed-text.tsx";

test("the printed audit has a page a sheet and is of today's sheets", async () => {
  const file = path.join(import.meta.dirname, "../../public", sampleAudit.pdf);
  const printed = await readFile(file, "latin1");
  expect(printed.startsWith("%PDF-")).toBe(true);
  expect(printed.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(sampleAudit.sheets.length);
  expect(
    printed.trim().split("\n").at(-1),
    "out of date: node_modules/.bin/node scripts/print-sample-audit.ts prints it anew",
  ).toBe(hashLine + printedHash());
});
