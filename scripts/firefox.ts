import { existsSync } from "node:fs";
import { installDebianPackages } from "./install-debian-packages.ts";

/** Usual places of a Firefox; the setting comes first. A snap's can't be driven from outside its own folder. */
const candidates = [
  "/usr/bin/firefox-esr",
  "/usr/lib/firefox/firefox",
  "/Applications/Firefox.app/Contents/MacOS/firefox",
];

export function findFirefox(): string | null {
  const set = process.env.FIREFOX_PATH;
  return [...(set ? [set] : []), ...candidates].find((path) => existsSync(path)) ?? null;
}

/** Installs one where there is none and we may. */
export function findOrInstallFirefox(): string | null {
  if (!findFirefox()) installDebianPackages("firefox-esr");
  return findFirefox();
}
