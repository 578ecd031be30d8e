import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Installs the system's packages where we may: as root on Debian and what is made of it. Elsewhere it does nothing. */
export function installDebianPackages(...names: string[]): void {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.log(`Installing ${names.join(", ")} for the end-to-end tests.`);
  run(["update", "-qq"]);
  run(["install", "-y", "-qq", "--no-install-recommends", ...names]);
}

function run(parameters: string[]): void {
  spawnSync("apt-get", parameters, {
    stdio: "inherit",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}
