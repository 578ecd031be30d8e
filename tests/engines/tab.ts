import { setTimeout as delay } from "node:timers/promises";
import { audit, axeSource, runAudit } from "../every-page/axe.ts";
import { patienceMs } from "../patience.ts";

/** A key that is pressed and let go, by the name that both drivers know it by. */
export type KeyName = "Tab" | "Enter" | "Escape" | "ArrowLeft";

export type Json = string | number | boolean | null | readonly Json[] | { [key: string]: Json };

/** In CSS pixels from the window's corner. */
type Point = { x: number; y: number };

export type TabOptions = {
  /** False for a visitor whose browser runs none of the page's scripts. */
  scripts?: boolean;
};

/** A window of any engine: as much of one as the tests and the pictures of all of them need. */
export type Tab = {
  /** Opens a page and waits for its scripts, if they run. */
  open(address: string): Promise<void>;
  /** Runs a function in the page, by its source: it sees nothing of the test but its parameters. */
  run<Parameters extends Json[], Answer>(
    script: (...parameters: Parameters) => Answer,
    ...parameters: Parameters
  ): Promise<Awaited<Answer>>;
  /** Runs a script in the page that its policy would stop if the page itself had it. */
  inject(source: string): Promise<void>;
  resize(widthPx: number, heightPx?: number): Promise<void>;
  press(key: KeyName): Promise<void>;
  type(text: string): Promise<void>;
  click(selector: string): Promise<void>;
  /** The whole page as it looks, as a PNG. It may leave the window as high as the page. */
  screenshot(): Promise<Buffer>;
  /** Complaints of the console, the page's scripts and its policy since the window was opened. */
  complaints(): Promise<string[]>;
  close(): Promise<void>;
};

const pollMs = 50;

/**
 * The middle of an element that can be pointed at, once it stands still there: a face that comes late moves what is
 * below it, and a click that was aimed before that hits something else. Asked from outside again and again, since
 * nothing waits in a page without scripts.
 */
export async function middleOf(run: Tab["run"], selector: string): Promise<Point> {
  let last: Point | null = null;
  const found = await until(async () => {
    const now = await run(pointInSight, selector);
    const isStill = now && last && now.x === last.x && now.y === last.y;
    last = now;
    return isStill ? now : null;
  });
  if (!found) throw new Error(`${selector} can't be pointed at, or doesn't stand still.`);
  return found;
}

/** Overwrites a field once it has the focus, which another process may give a moment after the click. */
export async function fill(tab: Tab, selector: string, text: string): Promise<void> {
  await tab.click(selector);
  const hasFocus = (wanted: string) => document.activeElement?.matches(wanted) ?? false;
  if (!(await until(() => tab.run(hasFocus, selector)))) {
    throw new Error(`${selector} didn't get the focus.`);
  }
  await tab.run(
    (wanted: string) => document.querySelector<HTMLInputElement>(wanted)?.select(),
    selector,
  );
  await tab.type(text);
  const holds = (wanted: string, value: string) =>
    document.querySelector<HTMLInputElement>(wanted)?.value === value;
  if (!(await until(() => tab.run(holds, selector, text)))) {
    throw new Error(`${selector} doesn't hold what was written.`);
  }
}

/** Waits until the page has its faces, and what moves by itself has come to its end. Scrolling moves the rest. */
export async function untilStill(tab: Pick<Tab, "run">): Promise<void> {
  if (!(await until(() => tab.run(isStill)))) throw new Error("The page doesn't stand still.");
}

/** Returns a line for each faulty element on the page, or within the selectors. */
export async function accessibilityFaults(tab: Tab, within: string[] = []): Promise<string[]> {
  await tab.inject(axeSource);
  // An element that fades out at a new width is pale until it is gone.
  await untilStill(tab);
  return await tab.run(runAudit, audit(within));
}

/** Runs in the page. */
function isStill(): boolean {
  const moving = document.getAnimations().filter(({ timeline, effect }) => {
    const end = Number(effect?.getComputedTiming().endTime);
    return timeline === document.timeline && Number.isFinite(end);
  });
  return document.fonts.status === "loaded" && moving.every((one) => one.playState !== "running");
}

/** The first answer that isn't false or null; null where none came in time. */
export async function until<Answer>(
  ask: () => Promise<Answer | false | null>,
): Promise<Answer | null> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > deadline) return null;
    await delay(pollMs);
  }
}

/** Runs in the page: the element is in the middle of the window, clear of what sticks to its edges, and nothing over it. */
function pointInSight(selector: string): Point | null {
  const element = document.querySelector(selector);
  if (!element || document.fonts.status !== "loaded") return null;
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const box = element.getBoundingClientRect();
  const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const hit = document.elementFromPoint(point.x, point.y);
  return hit && (element.contains(hit) || hit.contains(element)) ? point : null;
}
