import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { Transform } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { type EngineName, engineNames, openTab } from "#tests/engines/open-tab.ts";
import type { Tab } from "#tests/engines/tab.ts";
import { startBuiltServer } from "./built-server.ts";
import type { Table } from "./report.ts";

// Pages that are touched from their first byte on, over slow lines and lines that lose the page's script.

const paths = ["/", "/use-cases", "/use-cases/leads", "/newsletter", "/contact"];
const lost = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
const patienceMs = 90_000;

type Line = { what: string; kbits: number; lostTries?: number; lostForMs?: number };

const lines: Line[] = [
  ...[250, 400, 700, 1_600].map((kbits) => ({ what: `${kbits} kbit/s`, kbits })),
  { what: "script lost once", kbits: 1_600, lostTries: 1 },
  { what: "script lost twice", kbits: 1_600, lostTries: 2 },
  { what: "script lost for a minute", kbits: 1_600, lostForMs: 60_000 },
];

/** Run in the page, as its browser tells it of a hand. */
const touches: Record<string, () => void> = {
  "a moving mouse": () =>
    document.body?.dispatchEvent(
      new PointerEvent("pointermove", { bubbles: true, movementX: 3, movementY: 2 }),
    ),
  "a finger": () =>
    document.body?.dispatchEvent(
      new PointerEvent("pointerdown", { bubbles: true, pointerType: "touch" }),
    ),
  "a key": () =>
    document.body?.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, key: "Tab" })),
};

export async function slowLines(): Promise<Table> {
  const server = await startBuiltServer();
  try {
    const rows = await Promise.all(engineNames.map((engine) => tryEngine(engine, server.url)));
    return {
      title: "Pages touched while they come",
      note: `Alive of touched: ${paths.join(", ")}, each by a moving mouse, a finger and a key, five times a second from the first byte on, with an empty cache at the first page. Where the script is lost for a minute, one page. To hold: all.`,
      columns: ["engine", "way", ...lines.map(({ what }) => what)],
      rows: rows.flat(),
    };
  } finally {
    await server.stop();
  }
}

async function tryEngine(engine: EngineName, siteUrl: string): Promise<string[][]> {
  const rows: string[][] = [];
  for (const [way, touch] of Object.entries(touches)) {
    const row = [engine, way];
    for (const line of lines) {
      const tried = line.lostForMs ? paths.slice(1, 2) : paths;
      const tab = await openTab(engine);
      const slow = await startLine(siteUrl, line);
      let alive = 0;
      for (const path of tried) {
        slow.loseScripts();
        alive += Number(await comesAlive(tab, slow.url + path, touch));
      }
      await tab.close();
      slow.stop();
      row.push(`${alive} / ${tried.length}`);
    }
    rows.push(row);
  }
  return rows;
}

async function comesAlive(tab: Tab, address: string, touch: () => void): Promise<boolean> {
  await tab.run((href) => void setTimeout(() => location.assign(href)), address);
  const isAlive = (href: string) =>
    location.href === href && document.documentElement.dataset.alive === "";
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    // A page that has just gone answers nothing.
    if (await tab.run(isAlive, address).catch(() => false)) return true;
    await tab.run(touch).catch(() => {});
    await delay(200);
  }
  return false;
}

/** A line to the site with one speed for all its connections, on which the page's script may be lost. */
async function startLine(siteUrl: string, { kbits, lostTries = 0, lostForMs = 0 }: Line) {
  const { port } = new URL(siteUrl);
  let freeAt = 0;
  let tries = 0;
  let lostUntil = 0;
  const slowly = () =>
    new Transform({
      async transform(chunk: Buffer, _, done) {
        for (let start = 0; start < chunk.length; start += 1_460) {
          const part = chunk.subarray(start, start + 1_460);
          freeAt = Math.max(freeAt, performance.now()) + (part.length * 8) / kbits;
          await delay(Math.max(1, freeAt - performance.now()));
          this.push(part);
        }
        done();
      },
    });
  const line = createServer((visitor) => {
    const site = connect(Number(port), "127.0.0.1");
    visitor.on("data", (asked) => {
      const isScript = /^GET \/assets\/entry\.client/m.test(asked.toString("latin1"));
      // A connection that is cut would be tried again by the browser itself.
      if (isScript && (tries++ < lostTries || performance.now() < lostUntil)) visitor.end(lost);
      else site.write(asked);
    });
    site.pipe(slowly()).pipe(visitor);
    for (const end of [visitor, site]) {
      end.on("error", () => {});
      end.on("close", () => (end === site ? visitor : site).destroy());
    }
  }).listen(0, "127.0.0.1");
  await once(line, "listening");
  return {
    url: `http://127.0.0.1:${(line.address() as AddressInfo).port}`,
    /** Begins the losses anew, for the next page. */
    loseScripts() {
      tries = 0;
      lostUntil = performance.now() + lostForMs;
    },
    stop: () => line.close(),
  };
}
