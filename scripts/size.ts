// Counts the repository against its targets: lines and files by room, and the files that each of five flows decides
// something in.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { measureFlows } from "./flows.ts";

const productRooms =
  "app cli contact db desk issue-body mail newsletter server settings pages.ts".split(" ");

const tracked = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" })
  .split("\0")
  .filter((file) => file !== "" && existsSync(file));
type IsWanted = (file: string) => boolean;
const isTest: IsWanted = (file) =>
  /\.(?:test|spec)\.tsx?$/.test(file) || /^tests\/.*\.tsx?$/.test(file);
const isCode: IsWanted = (file) => /\.(?:ts|tsx|mjs)$/.test(file);
const inRooms =
  (...rooms: string[]): IsWanted =>
  (file) =>
    rooms.some((room) => file === room || file.startsWith(`${room}/`));
const linesOf = (file: string) => readFileSync(file, "utf8").split("\n").length - 1;

function verdict(figure: number, target: number | null): string {
  if (target === null) return "";
  return `${figure <= target ? "met" : "MISSED"} (${target.toLocaleString("en")})`;
}

function count(name: string, target: number | null, isWanted: IsWanted, figure = "lines") {
  const files = tracked.filter(isWanted);
  const lines = files.reduce((sum, file) => sum + linesOf(file), 0);
  return {
    name,
    files: files.length,
    lines,
    met: verdict(figure === "files" ? files.length : lines, target),
  };
}

const isProduct: IsWanted = (file) =>
  isCode(file) && !isTest(file) && inRooms(...productRooms)(file);
const rows = [
  ...productRooms.map((room) =>
    count(room, null, (file) => isProduct(file) && inRooms(room)(file)),
  ),
  count("product, without CSS and content", 37_500, isProduct),
  count(
    "product files",
    340,
    (file) =>
      isProduct(file) || (/^(?:app|content|desk)\/.*\.(?:css|tsx?)$/.test(file) && !isTest(file)),
    "files",
  ),
  count(
    "desk, with its styles",
    9_500,
    (file) => !isTest(file) && /^desk\/.*\.(?:tsx?|css)$/.test(file),
  ),
  count("CSS", 3_200, (file) => /^app\/.*\.css$/.test(file)),
  count("content", null, (file) => isCode(file) && file.startsWith("content/") && !isTest(file)),
  count("tests", 27_000, isTest),
  count(
    "bench and scripts",
    2_200,
    (file) => isCode(file) && !isTest(file) && inRooms("bench", "scripts")(file),
  ),
  count(
    "documents",
    1_800,
    (file) => file === "README.md" || file === "CHANGELOG.md" || /^docs\/.*\.md$/.test(file),
  ),
];

for (const { name, files, lines, met } of rows) {
  console.log(
    `${name.padEnd(36)}${String(files).padStart(6)} files${String(lines).padStart(8)} lines  ${met}`,
  );
}

console.log("\nFiles that decide something on the way (scripts/flows.ts says how they are found)");
for (const { name, target, files } of await measureFlows()) {
  console.log(`\n${name}: ${files.length} files, ${verdict(files.length, target)}`);
  console.log(files.map((file) => `  ${file}`).join("\n"));
}
process.exit();
