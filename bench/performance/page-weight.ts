import { type Browser, type CDPSession, chromium } from "@playwright/test";
import { sitePages } from "#tests/every-page/routes.ts";
import { findChromium } from "../../scripts/chromium.ts";
import { startBuiltServer } from "../built-server.ts";
import { barred, inBytes, type Measurement } from "../measurement.ts";

/** What the first flight of a TCP connection carries: ten segments, less their headers (RFC 6928). */
const htmlMaxBytes = 14_336;
const scriptsMaxBytes = 112_640;
const homeTotalMaxBytes = 160_000;
const homeMaxRequests = 10;

const kinds = ["html", "scripts", "styles", "fonts", "images", "other"] as const;
type Kind = (typeof kinds)[number];

/** One answer: its body as it was sent, compressed, and its headers. */
type Transfer = { url: string; kind: Kind; bodyBytes: number; headerBytes: number };

/** Bytes that every page sends, by kind, as a browser with an empty cache gets them. */
export const pageWeight: Measurement = {
  name: "page-weight",
  async run({ say }) {
    const server = await startBuiltServer();
    const browser = await chromium.launch({
      executablePath: findChromium() ?? undefined,
      args: ["--no-sandbox"],
    });
    try {
      const rows: string[][] = [];
      for (const { path } of sitePages) {
        say(path);
        rows.push(rowOf(path, await weigh(browser, server.url + path)));
      }
      return [table(rows)];
    } finally {
      await browser.close();
      await server.stop();
    }
  },
};

/** Everything that a browser with an empty cache asks for on this page, until it has asked for nothing for half a second. */
async function weigh(browser: Browser, url: string): Promise<Transfer[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  const finished = await recordTransfers(devTools);
  await page.goto(url, { waitUntil: "networkidle" });
  await context.close();
  return finished;
}

async function recordTransfers(devTools: CDPSession): Promise<Transfer[]> {
  const transfers: Transfer[] = [];
  const begun = new Map<string, { url: string; type: string; headerBytes: number }>();
  devTools.on("Network.responseReceived", ({ requestId, response, type }) => {
    if (response.fromDiskCache || response.url.startsWith("data:")) return;
    const { url, encodedDataLength: headerBytes } = response;
    begun.set(requestId, { url, type, headerBytes });
  });
  devTools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const transfer = begun.get(requestId);
    if (!transfer) return;
    const { url, type, headerBytes } = transfer;
    const bodyBytes = encodedDataLength - headerBytes;
    transfers.push({ url, kind: kindOf(type, url), bodyBytes, headerBytes });
  });
  await devTools.send("Network.enable");
  return transfers;
}

function kindOf(type: string, url: string): Kind {
  if (type === "Document") return "html";
  if (type === "Script" || url.endsWith(".js")) return "scripts";
  if (type === "Stylesheet") return "styles";
  if (type === "Font") return "fonts";
  if (type === "Image" || /\.(?:svg|ico|png)$/.test(url)) return "images";
  return "other";
}

function rowOf(path: string, transfers: Transfer[]): string[] {
  const body = (kind: Kind) =>
    sum(
      transfers.filter((transfer) => transfer.kind === kind),
      bodyOf,
    );
  const headers = sum(transfers, ({ headerBytes }) => headerBytes);
  const total = sum(transfers, bodyOf) + headers;
  const [html = 0, scripts = 0, ...others] = kinds.map(body);
  const isHome = path === "/";
  return [
    `\`${path}\``,
    barred(html, htmlMaxBytes),
    barred(scripts, scriptsMaxBytes),
    ...others.map(inBytes),
    inBytes(headers),
    isHome ? barred(total, homeTotalMaxBytes) : inBytes(total),
    isHome ? barred(transfers.length, homeMaxRequests) : inBytes(transfers.length),
  ];
}

function table(rows: string[][]) {
  return {
    title: "Bytes on the wire of every page",
    note: [
      "Chromium with an empty cache, HTTP/1.1 on loopback, brotli. Bodies as sent; HTML has the page's styles in it,",
      "so `styles` is the booking widget's alone. That widget (here the site's own stand-in) is in the scripts.",
      `Bars: HTML ${inBytes(htmlMaxBytes)}, scripts ${inBytes(scriptsMaxBytes)},`,
      `home in all ${inBytes(homeTotalMaxBytes)} and ${homeMaxRequests} requests. What is over its bar is marked with !.`,
    ].join("\n"),
    columns: ["page", ...kinds, "headers", "total", "requests"],
    rows,
  };
}

const bodyOf = ({ bodyBytes }: Transfer) => bodyBytes;

function sum<Item>(items: Item[], amount: (item: Item) => number): number {
  return items.reduce((total, item) => total + amount(item), 0);
}
