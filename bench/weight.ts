import { chromium } from "@playwright/test";
import { sitePages } from "#tests/every-page/routes.ts";
import { findChromium } from "../scripts/chromium.ts";
import { startBuiltServer } from "./built-server.ts";
import type { Table } from "./report.ts";

const kinds = ["Document", "Script", "Stylesheet", "Font", "Image"];

/** Compressed bytes that a browser with an empty cache gets with every page, until it asks for nothing for half a second. */
export async function weight(): Promise<Table> {
  const server = await startBuiltServer();
  const executablePath = findChromium() ?? undefined;
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const rows = [];
    for (const { path } of sitePages) {
      const page = await browser.newPage();
      const devTools = await page.context().newCDPSession(page);
      const types = new Map<string, string>();
      const bytes = new Map<string, number>();
      devTools.on("Network.responseReceived", ({ requestId, type, response }) => {
        if (!response.url.startsWith("data:")) types.set(requestId, type);
      });
      devTools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
        const type = types.get(requestId) ?? "data:";
        if (type !== "data:") bytes.set(type, (bytes.get(type) ?? 0) + encodedDataLength);
      });
      await devTools.send("Network.enable");
      await page.goto(server.url + path, { waitUntil: "networkidle" });
      await page.close();
      const total = [...bytes.values()].reduce((sum, size) => sum + size, 0);
      rows.push([
        `\`${path}\``,
        ...kinds.map((kind) => `${bytes.get(kind) ?? 0}`),
        `${total}`,
        `${types.size}`,
      ]);
    }
    return {
      title: "Bytes of every page",
      note: "Chromium with an empty cache, brotli, headers included. To hold: HTML with styles under 30 KB, scripts under 130 KB.",
      columns: ["page", "HTML", "scripts", "styles", "fonts", "pictures", "all", "requests"],
      rows,
    };
  } finally {
    await browser.close();
    await server.stop();
  }
}
