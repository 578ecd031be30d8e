import { type Browser, chromium, type Page } from "@playwright/test";
import { findChromium } from "../scripts/browsers.ts";
import { median, startBuiltServer } from "./built-server.ts";
import type { Table } from "./report.ts";

// From a visitor's press to the paint of its answer, on a slow phone: a quarter of the processor, 1.4 Mbit/s and 150 ms.

const slowdown = 4;
const line = { offline: false, latency: 150, downloadThroughput: 1_400_000 / 8 };
const runs = process.argv.includes("--quick") ? 3 : 5;

type Kind = {
  what: string;
  path: string;
  target: string;
  /** Typed after the press, whose answer is then measured from the key. */
  key?: string;
  /** Matches an element once the press is answered. */
  answer: string;
};

const kinds: Kind[] = [
  { what: "menu", path: "/", target: ".menu-toggle", answer: "#site-menu:popover-open" },
  {
    what: "tab",
    path: "/use-cases",
    target: "[role=tab]:nth-child(2)",
    answer: "[role=tab]:nth-child(2)[aria-selected=true]",
  },
  { what: "booking", path: "/pricing", target: "main [data-booking]", answer: "dialog[open]" },
  {
    what: "worksheet, from the key to the answer",
    path: "/use-cases/leads",
    target: ".worksheet input:not([type=hidden])",
    key: "x",
    answer: ".worksheet [aria-invalid]",
  },
  { what: "missed call", path: "/", target: "[data-plays]", answer: ".telephone.playing" },
];

export async function firstPress(): Promise<Table> {
  const server = await startBuiltServer();
  const browser = await launchChromium();
  try {
    const rows: string[][] = [];
    for (const kind of kinds) {
      const painted: number[] = [];
      const fetched: number[] = [];
      // In turns, so that a busy minute of the machine slows both.
      for (let run = 0; run < runs; run += 1) {
        painted.push(await timePress(browser, server.url, kind, false));
        fetched.push(await timePress(browser, server.url, kind, true));
      }
      const row = [kind.what, ...[painted, fetched].map((all) => median(all).toFixed(0))];
      console.log(row.join("  "));
      rows.push(row);
    }
    return {
      title: "From a first press to its answer",
      note: `Chromium as a phone with touch, a quarter of the processor, 1.4 Mbit/s, 150 ms; milliseconds from the press to the paint of its answer, median of ${runs}, in turns. To hold for a tab, a booking, a worksheet and a missed call: 500 as soon as the page is painted, 100 once its script is fetched.`,
      columns: ["what is pressed", "page just painted", "script fetched"],
      rows,
    };
  } finally {
    await browser.close();
    await server.stop();
  }
}

export function launchChromium(): Promise<Browser> {
  const executablePath = findChromium() ?? undefined;
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

async function timePress(browser: Browser, origin: string, kind: Kind, isFetched: boolean) {
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ viewport, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  try {
    await devTools.send("Network.enable");
    await devTools.send("Network.emulateNetworkConditions", { ...line, uploadThroughput: -1 });
    await devTools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    await page.addInitScript(watch, kind.answer);
    await page.goto(origin + kind.path, { waitUntil: "commit" });
    const target = page.locator(kind.target).first();
    await page.waitForFunction(() => performance.getEntriesByType("paint").length > 0);
    if (isFetched) await untilFetched(page);
    await target.tap();
    if (kind.key) {
      await page.evaluate(() => sessionStorage.removeItem("answered"));
      await page.keyboard.type(kind.key);
    }
    const answered = await page.waitForFunction(() => sessionStorage.getItem("answered"));
    return Number(await answered.jsonValue());
  } finally {
    await context.close();
  }
}

/** Fetched after a page's paint: its script, and the stand-in for a scheduling provider with its styles. */
export async function untilFetched(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const fetched = performance.getEntriesByType("resource").map(({ name }) => name);
    const names = ["/entry.client-", "/widget.js", "/widget.css"];
    return names.every((name) => fetched.some((address) => address.includes(name)));
  });
}

/** Runs in each document: writes down when a press is answered by the paint of an element that matches. */
function watch(answer: string): void {
  const now = (time = performance.now()) => performance.timeOrigin + time;
  const note = ({ timeStamp }: Event) => sessionStorage.setItem("pressed", `${now(timeStamp)}`);
  for (const press of ["pointerdown", "keydown"]) addEventListener(press, note, true);
  function look(): void {
    const pressed = sessionStorage.getItem("pressed");
    const isAnswered = document.querySelector(answer) && pressed;
    if (!isAnswered) return void requestAnimationFrame(look);
    // After the frame in which it is there, and before what waits for the page's thread.
    const answered = () => sessionStorage.setItem("answered", `${now() - Number(pressed)}`);
    requestAnimationFrame(() => scheduler.postTask(answered, { priority: "user-blocking" }));
  }
  requestAnimationFrame(look);
}
