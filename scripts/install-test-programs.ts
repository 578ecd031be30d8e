// Whatever the tests use of the system's packages, one after the other since the package manager allows no two.
import { existsSync } from "node:fs";
import { findOrInstallChromium } from "./chromium.ts";
import { findOrInstallFirefox } from "./firefox.ts";
import { findOrInstallProgram, installDebianPackages } from "./install-debian-packages.ts";
import { findOrInstallWebKit } from "./webkit.ts";

// Whichever browser the machine has: loading a page takes the one without a window little more than half the work.
if (!process.env.CHROMIUM_PATH) findOrInstallProgram("chromium-headless-shell");
findOrInstallChromium();
findOrInstallFirefox();
findOrInstallWebKit();
for (const name of ["nginx", "shellcheck", "caddy", "postfix"]) findOrInstallProgram(name);
// The stand-in that most visitors have until the site's own fonts come: Arial, by its twin in measures.
if (!existsSync("/usr/share/fonts/truetype/liberation")) installDebianPackages("fonts-liberation");
