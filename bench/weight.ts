import { sitePages } from "#tests/every-page/routes.ts";
import { startBuiltServer } from "./built-server.ts";
import { launchChromium, untilFetched } from "./first-press.ts";
import type { Table } from "./report.ts";

const kinds = ["Document", "Script", "Stylesheet", "Font", "Image"];

const typeOf: Record<string, string> = { js: "Script", css: "Stylesheet" };

/** Compressed bytes that a browser with an empty cache gets with a page, until it asks for nothing for half a second. */
export async function weight(): Promise<Table> {
  const server = await startBuiltServer();
  const browser = await launchChromium();
  try {
    const weighed: { path: string; bytes: number[] }[] = [];
    for (const { path } of sitePages) {
      const page = await browser.newPage();
      const devTools = await page.context().newCDPSession(page);
      const types = new Map<string, string>();
      const bytes = kinds.map(() => 0);
      devTools.on("Network.responseReceived", ({ requestId, type, response }) => {
        // A file that is fetched ahead has no type of its own.
        const [, ending = ""] = /\.(js|css)$/.exec(response.url) ?? [];
        if (!response.url.startsWith("data:")) types.set(requestId, typeOf[ending] ?? type);
      });
      devTools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
        const kind = kinds.indexOf(types.get(requestId) ?? "");
        if (kind >= 0) bytes[kind] = (bytes[kind] ?? 0) + encodedDataLength;
      });
      await devTools.send("Network.enable");
      await page.goto(server.url + path, { waitUntil: "networkidle" });
      await untilFetched(page);
      // Whatever was told until now has come.
      await devTools.send("Network.disable");
      await page.close();
      weighed.push({ path, bytes: [...bytes, bytes.reduce((sum, size) => sum + size, 0)] });
    }
    return {
      title: `Bytes of the site's ${weighed.length} pages`,
      note: "Chromium with an empty cache, brotli, headers included. To hold: HTML with styles under 30 KB, scripts under 90 KB, all of them fetched after the page has loaded.",
      columns: ["what", "least", "of", "most", "of"],
      rows: ["HTML", "scripts", "styles", "fonts", "pictures", "all"].map((what, kind) => {
        const sorted = weighed.toSorted((a, b) => (a.bytes[kind] ?? 0) - (b.bytes[kind] ?? 0));
        const ends = [sorted.at(0), sorted.at(-1)];
        return [what, ...ends.flatMap((end) => [`${end?.bytes[kind]}`, `\`${end?.path}\``])];
      }),
    };
  } finally {
    await browser.close();
    await server.stop();
  }
}
