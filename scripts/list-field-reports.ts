// The faults that were found beside real programs and people, with the tests that keep them mended:
//
//   node scripts/list-field-reports.ts
//
// Their numbers and kinds are in docs/decisions/field-reports.md. A test says `Field report P1.` in the line before it.
// Ends with 1 where a number has no test, or a test a number that isn't there.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";

type Fault = { number: string; kind: string; elsewhere: string; tests: string[] };

const root = path.join(import.meta.dirname, "..");
const document = readFileSync(path.join(root, "docs/decisions/field-reports.md"), "utf8");
const entry = /^\| ([A-Z](?:-[A-Z]|\d+)) \| (.+?) \| (.*?) ?\|$/gm;
const faults: Fault[] = [...document.matchAll(entry)].map(
  ([, number = "", kind = "", elsewhere = ""]) => ({ number, kind, elsewhere, tests: [] }),
);

const mistakes: string[] = [];
const files = globSync(
  ["**/*.test.ts", "**/*.test.tsx", "**/*.spec.ts", "tests/specification/*.ts"],
  {
    cwd: root,
    exclude: (name) => name === "node_modules" || name === "build",
  },
);
for (const file of files.toSorted()) {
  const source = readFileSync(path.join(root, file), "utf8");
  for (const { 1: numbers = "", index, 0: mark } of source.matchAll(
    /\/\/ Field reports? (.+?)\./g,
  )) {
    // The first title after it: of `test(`, `shows(`, a suite or, after a table of cases, of `)(`.
    const after = source.slice(index + mark.length);
    const [, title = "?"] =
      /(?:\b(?:test|it|shows|describe\w*)|\))\(\s*(?:"([^"]+)"|`([^`]+)`)/s
        .exec(after)
        ?.filter(Boolean) ?? [];
    for (const number of numbers.split(", ")) {
      const fault = faults.find((one) => one.number === number);
      if (fault) fault.tests.push(`${file} › ${title}`);
      else mistakes.push(`${file}: there is no field report ${number}.`);
    }
  }
}

console.log("| number | kind | tests | found elsewhere |\n|---|---|---|---|");
for (const { number, kind, elsewhere, tests } of faults) {
  console.log(`| ${number} | ${kind} | ${tests.join("<br>")} | ${elsewhere} |`);
  if (tests.length === 0) mistakes.push(`Field report ${number} has no test.`);
}
for (const mistake of mistakes) console.error(mistake);
process.exitCode = mistakes.length === 0 ? 0 : 1;
