// Brings the packages and the build up to date, and does nothing where they are. Runs before anything is installed, on
// any Node from 20 on, so it's plain JavaScript and needs no package.
//
//   node scripts/prepare.mjs           packages and build
//   node scripts/prepare.mjs install   packages only
//   node scripts/prepare.mjs build     build only
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const oldestNode = 20;
const projectRoot = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const buildStamp = path.join(projectRoot, "build", ".sources");

/** Everything that the build is made of. */
const buildSources = [
  "app",
  "content",
  "contracts",
  "public",
  "scripts/draw-share-pictures.ts",
  "scripts/fold-in-bundler-runtime.ts",
  "scripts/fold-in-root-route.ts",
  "scripts/leave-out-router-parts.ts",
  "scripts/palette-png.ts",
  "scripts/precompress.ts",
  "server/compressed-endings.ts",
  "scripts/share-pictures",
  "scripts/subset-fonts.ts",
  "package.json",
  "package-lock.json",
  "react-router.config.ts",
  "tsconfig.json",
  "vite.config.ts",
];

main(process.argv[2]);

function main(part) {
  if (Number(process.versions.node.split(".")[0]) < oldestNode) {
    fail(`This needs Node ${oldestNode} or later to begin with; this is ${process.version}.`);
  }
  if (part !== "build" && !packagesAreCurrent()) {
    console.log("Installing packages. This takes a minute or two, and only when they change.");
    // Development packages are what builds and tests the site, whatever NODE_ENV says here. Not `npm ci`: it refuses a
    // lockfile that doesn't name every other platform's optional packages, and `install` without saving takes the same
    // locked versions. Warnings are left out, since they are about this Node and not the one that the site runs on.
    npm(
      "The packages could not be installed.",
      ...["install", "--no-save", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"],
    );
  }
  if (part === "install") return;
  const sources = hashSources();
  if (readIfThere(buildStamp) === sources) return;
  console.log("Building the site.");
  rmSync(buildStamp, { force: true });
  npm("The site could not be built.", "run", "--silent", "build");
  mkdirSync(path.dirname(buildStamp), { recursive: true });
  writeFileSync(buildStamp, sources);
}

/** Whether what npm says it has installed is what the lockfile asks for. */
function packagesAreCurrent() {
  const installed = readPackages("node_modules/.package-lock.json");
  const wanted = readPackages("package-lock.json");
  return (
    installed !== null &&
    wanted !== null &&
    existsSync(path.join(projectRoot, "node_modules/.bin/node")) &&
    Object.entries(wanted).every(
      ([place, { version, optional }]) =>
        // An optional package may be for another machine.
        place === "" || optional || installed[place]?.version === version,
    )
  );
}

function readPackages(file) {
  const text = readIfThere(path.join(projectRoot, file));
  return text === null ? null : JSON.parse(text).packages;
}

function hashSources() {
  const hash = createHash("sha256");
  for (const file of buildSources.flatMap(filesUnder).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(projectRoot, file)))
      .update("\0");
  }
  return hash.digest("hex");
}

function filesUnder(place) {
  const full = path.join(projectRoot, place);
  if (!existsSync(full)) return [];
  // Fonts are subset by the build itself, and tests are no part of it.
  if (place === path.join("app", "fonts", "generated") || /\.test\.tsx?$/.test(place)) return [];
  const entries = readdirIfFolder(full);
  return entries ? entries.flatMap((entry) => filesUnder(path.join(place, entry))) : [place];
}

function readdirIfFolder(full) {
  try {
    return readdirSync(full);
  } catch (error) {
    if (error.code === "ENOTDIR") return null;
    throw error;
  }
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

function npm(problem, ...parameters) {
  // The Node that npm itself runs on: the one in node_modules may be about to be replaced.
  const { npm_execpath: cli, npm_node_execpath: node = process.execPath } = process.env;
  const [command, ...first] = cli ? [node, cli] : ["npm"];
  const run = spawnSync(command, [...first, ...parameters], { cwd: projectRoot, stdio: "inherit" });
  if (run.status !== 0) fail(problem);
}

function fail(problem) {
  console.error(problem);
  process.exit(1);
}
