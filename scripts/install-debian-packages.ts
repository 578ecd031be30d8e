import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

let areListsNew = false;

/** Installs the system's packages where we may: as root on Debian and what is made of it. Elsewhere it does nothing. */
export function installDebianPackages(...names: string[]): void {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.log(`Installing ${names.join(", ")}.`);
  if (!areListsNew) run(["update", "-qq"]);
  areListsNew = true;
  run(["install", "-y", "-qq", "--no-install-recommends", ...names]);
}

export function hasProgram(name: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${name}`], { stdio: "ignore" }).status === 0;
}

/** The same, once Debian's package of that name was installed where it was missing and we may. */
export function findOrInstallProgram(name: string): boolean {
  if (!hasProgram(name)) installDebianPackages(name);
  return hasProgram(name);
}

function run(parameters: string[]): void {
  spawnSync("apt-get", parameters, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}
