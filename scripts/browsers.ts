import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { chromium } from "@playwright/test";

/** The setting comes first, then the one without a window, which has least to do. */
export function findChromium(): string | null {
  const places = [
    process.env.CHROMIUM_PATH ?? "",
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/usr/bin/google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    chromium.executablePath(),
  ];
  // On some systems the file is a stub that only says how to install the browser.
  const starts = (file: string) => spawnSync(file, ["--version"], { timeout: 20_000 }).status === 0;
  return places.find((file) => existsSync(file) && starts(file)) ?? null;
}

/** The setting comes first. A snap's can't be driven from outside its own folder. */
export function findFirefox(): string | null {
  const places = [
    process.env.FIREFOX_PATH ?? "",
    "/usr/bin/firefox-esr",
    "/usr/lib/firefox/firefox",
    "/Applications/Firefox.app/Contents/MacOS/firefox",
  ];
  return places.find((file) => existsSync(file)) ?? null;
}

/** Paths of what WebKit's GTK port is driven by: its WebDriver, its smallest browser, and a screen that nobody sees. */
export type WebKit = { driver: string; browser: string; screen: string };

/** WebKit as the system's packages bring it; null where one of its parts is missing. */
export function findWebKit(): WebKit | null {
  const driver = "/usr/bin/WebKitWebDriver";
  const screen = "/usr/bin/Xvfb";
  // Debian keeps it under the machine's own name, and one for each version of the port.
  const [browser] = globSync("/usr/lib/*/webkit2gtk-4.*/MiniBrowser").toSorted().reverse();
  return browser && existsSync(driver) && existsSync(screen) ? { driver, browser, screen } : null;
}
