/**
 * Builds, tests and weighs the site with every direct dependency at its newest version, in a copy of the tree, and says
 * which of them would break what.
 *
 *   npm run check:newest                          all of them
 *   npm run check:newest -- react react-dom hono  these alone
 */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const stepTimeoutMs = 15 * 60_000;
/** Lines of a failed step's output that are shown: its end has the reason. */
const shownLines = 25;

const steps = [
  { name: "install", command: ["npm", "install", "--include=dev", "--loglevel=error"] },
  { name: "types", command: ["npm", "run", "--silent", "typecheck"] },
  { name: "build", command: ["npm", "run", "--silent", "build"] },
  // What a release has broken is broken each time; what a busy machine has, is not.
  {
    name: "unit tests",
    command: ["node_modules/.bin/vitest", "run", "--reporter=dot", "--retry=2"],
  },
  {
    name: "weight",
    command: [
      "node_modules/.bin/playwright",
      ...["test", "--project=chromium", "--reporter=dot", "tests/every-page/weight.spec.ts"],
    ],
  },
];

const kinds = ["dependencies", "devDependencies", "optionalDependencies"];

type Update = { name: string; current: string; newest: string };
type Manifest = Record<string, Record<string, string> | undefined>;

const projectRoot = path.join(import.meta.dirname, "..");
const folder = mkdtempSync(path.join(tmpdir(), "newest-"));
// A name as containers and people give it: the build has to work there too.
const copy = path.join(folder, "app", "my site");

try {
  process.exitCode = main(process.argv.slice(2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function main(names: string[]): number {
  const updates = findUpdates().filter(({ name }) => names.length === 0 || names.includes(name));
  if (updates.length === 0) {
    console.log("Every direct dependency is at its newest version.");
    return 0;
  }
  console.log(updates.map(describe).join("\n"));
  const broken = firstBrokenStep(updates);
  if (broken === null) {
    console.log("\nAll of them together: installed, built and tested without a failure.");
    return 0;
  }
  console.log(`\nTogether they break: ${broken}. Each release by itself:`);
  for (const release of releases(updates)) {
    const alone = firstBrokenStep(release);
    console.log(`${alone === null ? "ok  " : "FAIL"}  ${release.map(describe).join(", ")}`);
    if (alone !== null) console.log(`      breaks: ${alone}`);
  }
  return 1;
}

/** The newest that isn't older than what is locked: a registry's tag `latest` may be on an older line. */
function findUpdates(): Update[] {
  const manifest = readManifest(projectRoot);
  const current = new Map(kinds.flatMap((kind) => Object.entries(manifest[kind] ?? {})));
  for (const kind of kinds) {
    const atLeast = Object.entries(manifest[kind] ?? {}).map(([name, own]) => [name, `>=${own}`]);
    manifest[kind] = Object.fromEntries(atLeast);
  }
  mkdirSync(copy, { recursive: true });
  writeFileSync(path.join(copy, "package.json"), JSON.stringify(manifest));
  // Of development packages npm tells only where they are installed.
  symlinkSync(path.join(projectRoot, "node_modules"), path.join(copy, "node_modules"));
  // It tells that something is outdated by its exit code, too.
  const asked = spawnSync("npm", ["outdated", "--json"], { cwd: copy, encoding: "utf8" });
  const outdated = JSON.parse(asked.stdout || "{}") as Record<string, { wanted: string }>;
  return Object.entries(outdated)
    .map(([name, { wanted }]) => ({ name, current: current.get(name) ?? "", newest: wanted }))
    .filter(({ current, newest }) => current !== newest);
}

/** What is published together, such as React and its DOM, works only together. */
function releases(updates: Update[]): Update[][] {
  const key = ({ current, newest }: Update) => `${current} ${newest}`;
  return [...Map.groupBy(updates, key).values()];
}

function firstBrokenStep(updates: Update[]): string | null {
  copyTree();
  const manifest = readManifest(copy);
  for (const { name, newest } of updates) {
    for (const kind of kinds) {
      const versions = manifest[kind];
      if (versions?.[name]) versions[name] = newest;
    }
  }
  writeFileSync(path.join(copy, "package.json"), JSON.stringify(manifest, null, 2));
  return steps.find(({ name, command }) => !succeeds(name, command))?.name ?? null;
}

/** All but what is made from the rest. */
function copyTree(): void {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  const made = ["node_modules", "build", "data", ".git", ".react-router", ".env"];
  cpSync(projectRoot, copy, {
    recursive: true,
    filter: (source) => !made.includes(path.relative(projectRoot, source)),
  });
}

function succeeds(name: string, [program = "", ...parameters]: string[]): boolean {
  const bin = path.join(copy, "node_modules", ".bin");
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync(program, parameters, {
    cwd: copy,
    encoding: "utf8",
    timeout: stepTimeoutMs,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` },
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(`  ${name}: ${status === 0 ? "ok" : "failed"}, ${seconds} s`);
  if (status !== 0) {
    console.log(`${stdout}${stderr}`.trimEnd().split("\n").slice(-shownLines).join("\n"));
  }
  return status === 0;
}

function describe({ name, current, newest }: Update): string {
  return `${name} ${current} → ${newest}`;
}

function readManifest(of: string): Manifest {
  return JSON.parse(readFileSync(path.join(of, "package.json"), "utf8")) as Manifest;
}
