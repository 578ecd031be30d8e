// Whatever the tests use of the system's packages, one after the other since the package manager allows no two.
import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { findChromium, findFirefox, findWebKit } from "./browsers.ts";
import {
  findOrInstallProgram,
  hasProgram,
  installDebianPackages,
  unpackExim,
} from "./install-debian-packages.ts";

// Whichever browser the machine has: loading a page takes the one without a window little more than half the work.
if (!process.env.CHROMIUM_PATH) findOrInstallProgram("chromium-headless-shell");
if (!findChromium()) installDebianPackages("chromium");
if (!findChromium()) spawnSync("npx", ["playwright", "install", "chromium"], { stdio: "inherit" });
if (!findFirefox()) installDebianPackages("firefox-esr");
if (!findWebKit()) installDebianPackages("webkit2gtk-driver", "xvfb");
for (const name of "nginx shellcheck caddy postfix pgbouncer opendkim rspamd postgrey".split(" "))
  findOrInstallProgram(name);
findOrInstallProgram("dovecot", "dovecot-imapd", "dovecot-lmtpd");
unpackExim();
if (!hasProgram("systemd-analyze")) installDebianPackages("systemd");
if (globSync("/usr/lib/postgresql/*/bin/postgres").length === 0)
  installDebianPackages("postgresql");
// The stand-in that most visitors have until the site's own fonts come: Arial, by its twin in measures.
if (!existsSync("/usr/share/fonts/truetype/liberation")) installDebianPackages("fonts-liberation");
