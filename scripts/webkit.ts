import { existsSync, globSync } from "node:fs";
import { installDebianPackages } from "./install-debian-packages.ts";

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

/** The same, installing what is missing where we may. */
export function findOrInstallWebKit(): WebKit | null {
  if (!findWebKit()) installDebianPackages("webkit2gtk-driver", "xvfb");
  return findWebKit();
}
