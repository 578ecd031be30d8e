import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

let areListsNew = false;

/** Installs the system's packages where we may: as root on Debian and what is made of it. Elsewhere it does nothing. */
export function installDebianPackages(...names: string[]): void {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.log(`Installing ${names.join(", ")}.`);
  if (!areListsNew) run(["update", "-qq"]);
  areListsNew = true;
  // A program that would take another away, such as a second mail server, is left out.
  run(["install", "-y", "-qq", "--no-install-recommends", "--no-remove", ...names]);
}

export function hasProgram(name: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${name}`], { stdio: "ignore" }).status === 0;
}

/** The same, once Debian's packages of it were installed where it was missing and we may; by default that of its name. */
export function findOrInstallProgram(name: string, ...packages: string[]): boolean {
  if (!hasProgram(name)) installDebianPackages(...(packages.length > 0 ? packages : [name]));
  return hasProgram(name);
}

const eximFolder = "/usr/local/lib/exim4-of-tests";

/** Exim as in Debian's package, which can't be installed beside Postfix: unpacked, with what the package would add. */
export const exim4OfTests = path.join(eximFolder, "usr/sbin/exim4");

export function unpackExim(): void {
  if (hasProgram(exim4OfTests) || process.getuid?.() !== 0) return;
  installDebianPackages("libidn12", "libnsl2", "libgnutls-dane0");
  const folder = mkdtempSync(path.join(tmpdir(), "exim-"));
  chmodSync(folder, 0o777);
  run(["download", "-qq", "exim4-daemon-light"], folder);
  const [file] = readdirSync(folder);
  if (file) {
    spawnSync("dpkg", ["--extract", path.join(folder, file), eximFolder]);
    const user = ["--system", "--no-create-home", "--shell", "/usr/sbin/nologin", "Debian-exim"];
    spawnSync("useradd", user, { stdio: "ignore" });
  }
  rmSync(folder, { recursive: true, force: true });
}

function run(parameters: string[], cwd?: string): void {
  spawnSync("apt-get", parameters, {
    cwd,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}
