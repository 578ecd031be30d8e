// Whatever the tests use of the system's packages, one after the other since the package manager allows no two.
import { findOrInstallChromium } from "./chromium.ts";
import { findOrInstallFirefox } from "./firefox.ts";
import { findOrInstallProgram } from "./install-debian-packages.ts";
import { findOrInstallWebKit } from "./webkit.ts";

findOrInstallChromium();
findOrInstallFirefox();
findOrInstallWebKit();
for (const name of ["nginx", "shellcheck", "caddy"]) findOrInstallProgram(name);
