// Counts the repository against its targets: lines and files by room, and the files that one has to open to follow each of
// five flows.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const productRooms =
  "app api cli contact contracts db issue-body mail newsletter operator server settings pages.ts".split(
    " ",
  );

/** Followed by hand, from the first file to the last; the command checks that each is there. */
const flows = JSON.parse(readFileSync(new URL("flows.json", import.meta.url), "utf8"));

const tracked = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" })
  .split("\0")
  .filter((file) => file !== "" && existsSync(file));
const isTest = (file) => /\.(?:test|spec)\.tsx?$/.test(file) || /^tests\/.*\.tsx?$/.test(file);
const isCode = (file) => /\.(?:ts|tsx|mjs)$/.test(file);
const inRooms = (rooms) => (file) =>
  rooms.some((room) => file === room || file.startsWith(`${room}/`));
const linesOf = (file) => readFileSync(file, "utf8").split("\n").length - 1;

function count(name, target, isWanted, figure = "lines") {
  const files = tracked.filter(isWanted);
  const lines = files.reduce((sum, file) => sum + linesOf(file), 0);
  return {
    name,
    files: files.length,
    lines,
    target,
    met: (figure === "files" ? files.length : lines) <= target,
  };
}

const isProduct = (file) => isCode(file) && !isTest(file) && inRooms(productRooms)(file);
const rows = [
  ...productRooms.map((room) =>
    count(room, null, (file) => isProduct(file) && inRooms([room])(file)),
  ),
  count("product, without CSS and content", 26_000, isProduct),
  count(
    "product files",
    420,
    (file) =>
      isProduct(file) || (/^(?:app|content)\/.*\.(?:css|tsx?)$/.test(file) && !isTest(file)),
    "files",
  ),
  count("desk, with its styles", 4_500, (file) => /^desk\/.*\.(?:tsx?|css)$/.test(file)),
  count("CSS", 3_000, (file) => /^app\/.*\.css$/.test(file)),
  count("content", null, (file) => isCode(file) && file.startsWith("content/") && !isTest(file)),
  count("tests", 22_000, isTest),
  count(
    "bench and scripts",
    2_000,
    (file) => isCode(file) && !isTest(file) && inRooms(["bench", "scripts"])(file),
  ),
  count(
    "documents",
    1_800,
    (file) => file === "README.md" || file === "CHANGELOG.md" || /^docs\/.*\.md$/.test(file),
  ),
];

for (const { name, files, lines, target, met } of rows) {
  const verdict =
    target === null ? "" : `${met ? "met" : "MISSED"} (${target.toLocaleString("en")})`;
  console.log(
    `${name.padEnd(34)}${String(files).padStart(6)} files${String(lines).padStart(8)} lines  ${verdict}`,
  );
}

/** How many different values the styles have of a kind. */
const styles = tracked
  .filter((file) => /^app\/.*\.css$/.test(file))
  .map((file) => readFileSync(file, "utf8"));
const kinds = {
  spaces:
    /(?<=[{;]\s*(?:padding|margin|(?:row-|column-)?gap)[\w-]*: [^;]*)(?:var\(--[\w-]+\)|(?<![\w.])-?[\d.]+[a-z%]+)/g,
  "font sizes": /(?<=font-size: )[^;]+/g,
  grids: /(?<=grid-template(?:-columns)?: )[^;]+/g,
  "widths of media queries": /(?<=@media [^{]*\bwidth\b[^{]*?)[\d.]+rem|[\d.]+rem(?= <= width)/g,
};
console.log("\nDifferent values in the styles");
for (const [kind, pattern] of Object.entries(kinds)) {
  const found = new Set(styles.flatMap((css) => css.match(pattern) ?? []));
  console.log(`  ${kind.padEnd(32)}${String(found.size).padStart(6)}`);
}
for (const { flow, target, files } of flows) {
  const missing = files.filter((file) => !existsSync(file));
  console.log(`\n${flow}: ${files.length} files to open (at most ${target})`);
  console.log(files.map((file) => `  ${file}`).join("\n"));
  if (missing.length > 0) {
    console.error(`  These are gone; follow the flow again: ${missing.join(", ")}`);
    process.exitCode = 1;
  }
}
