import { type Browser, type CDPSession, chromium, type Page } from "@playwright/test";
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
  /** What is pressed. */
  target: string;
  /** Typed after the press, whose answer is then measured from the key. */
  key?: string;
  /** Matches an element once the press is answered, on this page or the next. */
  answer: string;
};

const kinds: Kind[] = [
  {
    what: "link",
    path: "/",
    target: "main a[href='/use-cases']",
    answer: "meta[property='og:url'][content$='/use-cases']",
  },
  { what: "menu", path: "/", target: ".menu-toggle", answer: "#site-menu:popover-open" },
  {
    what: "tab",
    path: "/use-cases",
    target: "[role=tab]:nth-child(2)",
    answer: "[role=tab]:nth-child(2)[aria-selected=true]",
  },
  { what: "field", path: "/contact", target: "#firstName", answer: "#firstName:focus" },
  { what: "booking", path: "/pricing", target: "main [data-booking]", answer: "dialog[open]" },
  {
    what: "worksheet, from the key to the sum",
    path: "/use-cases/leads",
    target: ".worksheet input",
    key: "4",
    answer: ".worksheet s",
  },
  {
    what: "missed call",
    path: "/use-cases/leads",
    target: ".talk [type=submit]",
    answer: ".talk .running",
  },
  {
    what: "sign-up without an address",
    path: "/newsletter",
    target: ".subscribe-form button",
    answer: ".notice",
  },
];

/** Pressed as soon as the page is painted; once all is fetched; and once it is alive. */
const moments = ["painted", "fetched", "alive"] as const;
type Moment = (typeof moments)[number];

export async function firstPress(): Promise<Table> {
  const server = await startBuiltServer();
  const browser = await launchChromium();
  try {
    const rows: string[][] = [];
    for (const kind of kinds) {
      const times: number[][] = [[], [], [], []];
      // In turns, so that a busy minute of the machine is everybody's.
      for (let run = 0; run < runs; run += 1) {
        for (const [index, moment] of [...moments, "blocked" as const].entries()) {
          times[index]?.push(await timePress(browser, server.url, kind, moment));
        }
      }
      const shown = times.map((all) => {
        const time = median(all);
        return Number.isFinite(time) ? time.toFixed(0) : "–";
      });
      const row = [kind.what, ...shown];
      console.log(row.join("  "));
      rows.push(row);
    }
    return {
      title: "From a first press to its answer",
      note: `Chromium as a phone with touch, a quarter of the processor, 1.4 Mbit/s, 150 ms; milliseconds from the press to the paint of its answer, median of ${runs}, in turns. To hold for a tab, a booking, a worksheet and a missed call: 500 as soon as the page is painted, 100 once its script is fetched.`,
      columns: [
        "what is pressed",
        "page just painted",
        "script fetched",
        "page alive",
        "script files blocked",
      ],
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

/** Infinite where nothing answers. */
export async function timePress(
  browser: Browser,
  origin: string,
  kind: Kind,
  moment: Moment | "blocked",
): Promise<number> {
  const { page, devTools } = await openSlowPhone(browser);
  try {
    await page.addInitScript(watch, kind.answer);
    if (moment === "blocked")
      await devTools.send("Network.setBlockedURLs", { urls: ["*/assets/*.js"] });
    await page.goto(origin + kind.path, { waitUntil: "commit" });
    const target = page.locator(kind.target).first();
    await page.waitForFunction(() => performance.getEntriesByType("paint").length > 0);
    if (moment === "fetched" || moment === "alive") await untilFetched(page);
    if (moment === "blocked") await page.waitForLoadState("networkidle");
    if (moment === "alive") await bringAlive(page);
    await target.tap();
    if (kind.key) {
      await page.evaluate(() => sessionStorage.removeItem("answered"));
      await page.keyboard.type(kind.key);
    }
    return await answerTime(page);
  } finally {
    await page.context().close();
  }
}

export async function openSlowPhone(
  browser: Browser,
): Promise<{ page: Page; devTools: CDPSession }> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send("Network.enable");
  await devTools.send("Network.emulateNetworkConditions", { ...line, uploadThroughput: -1 });
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  return { page, devTools };
}

/** What a page fetches after its paint: its script, and the stand-in for a scheduling provider with its styles. */
export async function untilFetched(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const fetched = performance.getEntriesByType("resource").map(({ name }) => name);
    const names = ["/entry.client-", "/widget.js", "/widget.css"];
    return names.every((name) => fetched.some((address) => address.includes(name)));
  });
}

export async function bringAlive(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event("pointerdown")));
  await page.waitForFunction(() => document.documentElement.dataset.alive === "");
}

async function answerTime(page: Page): Promise<number> {
  const read = () => page.evaluate(() => sessionStorage.getItem("answered")).catch(() => null);
  for (const end = Date.now() + 5_000; Date.now() < end; ) {
    const time = await read();
    if (time) return Number(time);
  }
  return Number.POSITIVE_INFINITY;
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
