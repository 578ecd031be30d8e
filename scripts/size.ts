// Counts the repository against its targets: lines and files by room, and the files that each of five flows decides
// something in.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { measureFlows } from "./flows.ts";

const rooms = "app cli contact db desk issue-body mail newsletter server settings".split(" ");

const tracked = (...patterns: string[]) =>
  execFileSync("git", ["ls-files", "--", ...patterns], { encoding: "utf8" })
    .trim()
    .split("\n");
const codeIn = (...names: string[]) =>
  tracked(...names.flatMap((name) => [`${name}/*.ts`, `${name}/*.tsx`, `${name}/*.mjs`])).filter(
    (file) => !/\.(?:test|spec)\.tsx?$/.test(file),
  );
const stylesIn = (...names: string[]) => tracked(...names.map((name) => `${name}/*.css`));
const product = ["pages.ts", ...codeIn(...rooms)];

const verdict = (figure: number, target: number) =>
  `${figure <= target ? "met" : "MISSED"} (${target.toLocaleString("en")})`;

/** Prints a row. */
function count(name: string, files: string[], most: { lines?: number; files?: number } = {}) {
  const lines = files.reduce(
    (sum, file) => sum + readFileSync(file, "utf8").split("\n").length - 1,
    0,
  );
  const met = [
    most.lines && verdict(lines, most.lines),
    most.files && verdict(files.length, most.files),
  ];
  const counts = `${`${files.length} files`.padStart(12)}${`${lines} lines`.padStart(14)}`;
  console.log(name.padEnd(32), counts, ...met.filter(Boolean));
}

for (const room of rooms) count(room, codeIn(room));
count("product, without CSS and content", product, { lines: 31_000 });
count("product files", [...product, ...codeIn("content"), ...stylesIn("app", "desk")], {
  files: 300,
});
count("desk, with its styles", [...codeIn("desk"), ...stylesIn("desk")], { lines: 7_500 });
count("CSS", stylesIn("app"), { lines: 3_000 });
count("content", codeIn("content"));
count("tests", tracked("*.test.ts*", "*.spec.ts*", "tests/*.ts", "tests/*.tsx"), { lines: 23_000 });
count("bench and scripts", codeIn("bench", "scripts"), { lines: 2_000 });
count("documents", tracked("README.md", "CHANGELOG.md", "docs/*.md"), { lines: 1_600 });

console.log("\nFiles that decide something on the way (scripts/flows.ts says how they are found)");
for (const { name, target, files } of await measureFlows()) {
  console.log(`\n${name}: ${files.length} files, ${verdict(files.length, target)}`);
  console.log(files.map((file) => `  ${file}`).join("\n"));
}
process.exit();
