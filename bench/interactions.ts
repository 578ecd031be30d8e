import type { Browser, Page } from "@playwright/test";
import { median, startBuiltServer } from "./built-server.ts";
import { bringAlive, launchChromium, openSlowPhone, runs } from "./first-press.ts";
import type { Table } from "./report.ts";

// From each press on what is alive to the next paint, by the browser's own Event Timing, on a phone as slow as in
// first-press.ts. Paths on the command line choose their pages' pieces alone.

/** By its name, a key or `tap`, and what it is pressed on. */
type Presses = Record<string, readonly [key: string, target: string]>;

const missedCall: Presses = {
  "a key of the firm": ["O", ".talk [name=firm]"],
  "missed call": ["tap", ".talk [type=submit]"],
  "what the client says": ["tap", "button:text('The kitchen tap drips')"],
  "and answers": ["tap", "button:text('Thursday at 1')"],
  again: ["tap", "button:text('Miss another call')"],
};

type Piece = { path: string; presses: Presses };

const pieces: Record<string, Piece> = {
  "home’s telephone": { path: "/", presses: { try: ["tap", ".talk-start button"], ...missedCall } },
  "leads’ telephone": { path: "/use-cases/leads", presses: missedCall },
  "a worksheet": {
    path: "/use-cases/leads",
    presses: {
      "the first key": ["4", ".worksheet input"],
      "the next": ["5", ".worksheet input >> nth=1"],
    },
  },
  inbox: {
    path: "/use-cases/email-management",
    presses: {
      "a key": ["O", ".object input"],
      sort: ["tap", ".object button"],
      open: ["tap", ".turned-sheets summary >> nth=1"],
    },
  },
  "contact sheet": {
    path: "/use-cases/content-creation",
    presses: { "from drafts": ["tap", "label:has(.from-drafts)"] },
  },
  gauge: {
    path: "/use-cases/client-management",
    presses: { "a key": ["1", ".object [name=extras]"] },
  },
  "due ruler": {
    path: "/use-cases/business-operations",
    presses: { "a day": ["ArrowRight", ".object [type=range]"] },
  },
  booking: { path: "/pricing", presses: { open: ["tap", "main [data-booking]"] } },
};

export async function interactions(): Promise<Table> {
  const isAsked = ({ path }: Piece) => process.argv.includes(path);
  const all = Object.entries(pieces);
  const asked = all.filter(([, piece]) => isAsked(piece));
  const server = await startBuiltServer();
  const browser = await launchChromium();
  const rows: string[][] = [];
  try {
    for (const [what, piece] of asked.length > 0 ? asked : all) {
      const times: number[][] = [];
      let scripts = 0;
      while (times.length < runs) {
        const timed = await timePresses(browser, server.url, piece);
        times.push(timed.times);
        scripts = timed.scripts;
      }
      const names = Object.keys(piece.presses);
      const medians = names.map((_, index) => median(times.map((each) => each[index] ?? 0)));
      const each = names.map((name, index) => `${name} ${medians[index]}`);
      rows.push([what, `${Math.max(...medians)}`, each.join(", "), `${scripts}`]);
      console.log(rows.at(-1)?.join("  "));
    }
  } finally {
    await browser.close();
    await server.stop();
  }
  return {
    title: "From a press to the next paint, on what is alive",
    note: `Chromium as a phone with touch, a quarter of the processor; milliseconds by Event Timing, which counts in steps of 8, median of ${runs}. To hold: 100, and 8 KB for a telephone’s script.`,
    columns: ["what is pressed", "slowest", "each", "its script, brotli"],
    rows,
  };
}

/** In `scripts`, the bytes of those that a press has asked for. */
async function timePresses(browser: Browser, origin: string, piece: Piece) {
  const { page } = await openSlowPhone(browser);
  try {
    await page.addInitScript(watch);
    await page.goto(origin + piece.path);
    await bringAlive(page);
    const times: number[] = [];
    const before = await scriptBytes(page);
    for (const [key, target] of Object.values(piece.presses)) {
      const pressed = page.locator(target).first();
      if (key === "tap") await pressed.scrollIntoViewIfNeeded();
      else await pressed.focus();
      await slowestPress(page);
      if (key === "tap") await pressed.tap();
      else await page.keyboard.press(key);
      times.push(await slowestPress(page));
    }
    return { times, scripts: (await scriptBytes(page)) - before };
  } finally {
    await page.context().close();
  }
}

function scriptBytes(page: Page): Promise<number> {
  return page.evaluate(() => {
    const all = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const scripts = all.filter(({ name }) => name.endsWith(".js"));
    return scripts.reduce((bytes, { encodedBodySize }) => bytes + encodedBodySize, 0);
  });
}

/** Runs in each document. */
function watch(): void {
  window.slowest = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration, interactionId } of list.getEntries() as PerformanceEventTiming[])
      if (interactionId) window.slowest = Math.max(window.slowest, duration);
  });
  observer.observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
}

/** Since it was last asked for; 0 for less than 16 ms. Answers once the page is at rest. */
function slowestPress(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2_000 }));
    const { slowest } = window;
    window.slowest = 0;
    return slowest;
  });
}

declare global {
  interface Window {
    slowest: number;
  }
}
