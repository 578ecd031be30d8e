import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { installDebianPackages } from "./install-debian-packages.ts";

/** Usual places of a Chromium. The setting comes first, then the one without a window, which has least to do. */
function candidates(): string[] {
  const set = process.env.CHROMIUM_PATH;
  return [
    ...(set ? [set] : []),
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/usr/bin/google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    chromium.executablePath(),
  ];
}

export function findChromium(): string | null {
  return candidates().find((path) => existsSync(path) && starts(path)) ?? null;
}

/** The same, installing one where there is none: the system's package where we may, else Playwright's own. */
export function findOrInstallChromium(): string | null {
  const found = findChromium();
  if (found) return found;
  for (const name of ["chromium-headless-shell", "chromium"]) {
    if (!findChromium()) installDebianPackages(name);
  }
  if (!findChromium()) {
    spawnSync("npx", ["playwright", "install", "chromium"], { stdio: "inherit" });
  }
  return findChromium();
}

// On some systems the file is a stub that only tells how to install the browser.
function starts(path: string): boolean {
  return spawnSync(path, ["--version"], { timeout: 20_000 }).status === 0;
}
