// Prints the sample audit into public/sample-audit.pdf, from the built site:
//
//   node_modules/.bin/node scripts/prepare.mjs build && node_modules/.bin/node scripts/print-sample-audit.ts
import { appendFile } from "node:fs/promises";
import path from "node:path";
import { chromium } from "@playwright/test";
import { createServer } from "vite";
import { sampleAudit } from "#content/sample-audit.ts";
import { projectRoot } from "#settings/settings.ts";
import { startSiteServer } from "#tests/site-server.ts";
import { findChromium } from "./browsers.ts";

const file = path.join(projectRoot, "public", sampleAudit.pdf);
const executablePath = findChromium();
if (!executablePath) throw new Error("This machine has no Chromium.");
const site = await startSiteServer();
const browser = await chromium.launch({ executablePath });
const vite = await createServer({
  root: projectRoot,
  server: { middlewareMode: true },
  appType: "custom",
});
try {
  const page = await browser.newPage();
  await page.goto(site.url + sampleAudit.head.path);
  await page.evaluate(() => document.fonts.ready);
  await page.pdf({ path: file, format: "Letter", preferCSSPageSize: false });
  const { printedHash, hashLine } = await vite.ssrLoadModule("/app/sample-audit/printed-text.tsx");
  await appendFile(file, `${hashLine}${printedHash()}\n`);
} finally {
  await vite.close();
  await browser.close();
  await site.close();
}
