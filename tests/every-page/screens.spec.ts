import type { Page } from "@playwright/test";
import { expect, test } from "../site-test.ts";
import { accessibilityFaults } from "./axe.ts";
import { resizePage } from "./resize-page.ts";
import { layoutsPx, missingPageComplaint, sitePages } from "./routes.ts";
import { sideways } from "./sideways.ts";
import { smallLetters } from "./small-letters.ts";
import { stopsToBooking, wayToBooking, wayToBookingFaults } from "./way-to-booking.ts";

// Loading a page and making its window wider costs more than most of what is asked of it, so one load is asked the rest.
test.describe.configure({ mode: "parallel", timeout: 180_000 });

/** Late enough that the page is first painted in its fallback fonts. */
const fontDelayMs = 250;

/** Text that takes its font moves by letters, or by a line: one line in the first view is about 0.02. */
const leastSeenShift = 0.025;

/** 320 px is what WCAG 1.4.10 asks for: a window of 1280 px at 400 %. */
const reflowWidthsPx = [320, 390, 768, 1040, 1440];

const phonePx = 390;

/** A browser set to letters twice the usual 16 px, as WCAG 1.4.4 asks for. */
const doubledTextPx = 32;
const doubledTextWidthPx = 640;

// A site of its own: titles of issues that other tests publish have letters that ask for the rare fonts.
test.use({ siteSettings: { LOG_LEVEL: "error" } });

/** As people set it who read with difficulty (WCAG 1.4.12). */
const textSpacing =
  "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }";

/** In smaller letters than these, a phone zooms in on a field. */
const fieldLettersPx = 16;

/** The least room between the words and the window's edge: without it a stylesheet is missing, or in disorder. */
const gutterPx = 20;

for (const { name, path, status } of sitePages) {
  test(`${name} is faultless at any width`, async ({ page, expectConsole }) => {
    if (status === 404) expectConsole(missingPageComplaint);
    const failedRequests = watchRequests(page, path);
    await page.setViewportSize({ width: 320, height: 900 });
    const response = await page.goto(path);
    expect(response?.status()).toBe(status);
    expect.soft(failedRequests, "failed requests").toEqual([]);
    expect.soft(await moving(page), "animations despite reduced motion").toEqual([]);
    await page.evaluate(() => document.fonts.ready);
    for (const width of reflowWidthsPx) {
      await resizePage(page, width);
      // Privacy's table may be wider than a phone (WCAG 1.4.10, exception for tables).
      if (width === 320 && path !== "/privacy") {
        expect.soft(await page.evaluate(widthSpaced, textSpacing), "spaced text").toBe(width);
      }
      await expectNoFault(page, width);
    }
    await page.emulateMedia({ forcedColors: "active" });
    expect.soft(await page.evaluate(borderless), "no border in forced colours").toEqual([]);
    await page.emulateMedia({ forcedColors: null });
    const devTools = await page.context().newCDPSession(page);
    await devTools.send("Page.setFontSizes", { fontSizes: { standard: doubledTextPx } });
    await resizePage(page, doubledTextWidthPx);
    await softly(() => page.evaluate(sideways), "text at 200 %");
  });
}

for (const path of ["/", "/pricing", "/use-cases/leads", "/newsletter/1", "/contact"]) {
  test(`${path} stays in place while its fonts come late, and asks for no rare one`, async ({
    page,
  }) => {
    const shifts = await watchLayoutShifts(page);
    const fonts = new Set<string>();
    await page.route("**/*.woff2", async (route) => {
      fonts.add(new URL(route.request().url()).pathname);
      await new Promise((resolve) => setTimeout(resolve, fontDelayMs));
      await route.continue();
    });
    await page.setViewportSize({ width: phonePx, height: 900 });
    await page.goto(path);
    await page.evaluate(() => document.fonts.ready);
    expect.soft(await shifts(), "layout shifts").toEqual([]);
    // A sign that only the files of rare ones have costs the first paint another round trip.
    expect
      .soft([...fonts].sort(), "fonts")
      .toEqual([
        expect.stringMatching(/\/archivo-(?!rare|wide)/),
        expect.stringMatching(/\/archivo-wide-(?!rare)/),
        expect.stringMatching(/\/plex-mono-500-(?!rare)/),
      ]);
  });
}

/** The focus comes last, because it leaves the page tabbed through. */
async function expectNoFault(page: Page, width: number): Promise<void> {
  await softly(() => page.evaluate(smallLetters), `letters at ${width} px`);
  await softly(() => page.evaluate(sideways), `sideways at ${width} px`);
  if (layoutsPx.includes(width)) {
    const heading = await page.locator("h1").boundingBox();
    expect.soft(heading?.x, `gutter at ${width} px`).toBeGreaterThanOrEqual(gutterPx);
    expect.soft(await accessibilityFaults(page), `axe at ${width} px`).toEqual([]);
    // From here on the browser takes focus to come by the keyboard, so :focus-visible holds.
    for (let stop = 0; stop < stopsToBooking; stop += 1) await page.keyboard.press("Tab");
    if (width === phonePx) {
      expect
        .soft(await page.evaluate(smallFields, fieldLettersPx), "fields that are zoomed in on")
        .toEqual([]);
      expect
        .soft(await page.evaluate(wayToBookingFaults, wayToBooking), "way to the booking")
        .toEqual([]);
    }
    expect.soft(await page.evaluate(focusFaults), `focus at ${width} px`).toEqual([]);
  }
}

/** Asked again until nothing is found: drawn frames or not, a busy browser may answer with the old width once more. */
async function softly(find: () => Promise<string[]>, what: string): Promise<void> {
  await expect.configure({ soft: true }).poll(find, what).toEqual([]);
}

/** Runs in the page: how wide it is with these rules, which are taken away again. */
function widthSpaced(rules: string): number | undefined {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets.push(sheet);
  const width = document.scrollingElement?.scrollWidth;
  document.adoptedStyleSheets.pop();
  return width;
}

/** Runs in the page. */
function smallFields(leastPx: number): string[] {
  const written = "input:not([type=hidden], [type=radio], [type=checkbox]), select, textarea";
  return [...document.querySelectorAll(written)]
    .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < leastPx)
    .map((field) => field.outerHTML.slice(0, 120));
}

function moving(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 1)
      .map((animation) => String((animation as CSSAnimation).animationName)),
  );
}

/** Requests that found no answer, or a bad one; the page's own status is its test's to judge. */
function watchRequests(page: Page, path: string): string[] {
  const failed: string[] = [];
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "unknown";
    // The browser aborts requests that are in flight when the page is loaded anew.
    if (reason !== "net::ERR_ABORTED") failed.push(`${request.url()} (${reason})`);
  });
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/assets\/[^/]+\.css$/.test(pathname))
      failed.push(`${pathname}, whose styles are in the page`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400 && !response.url().endsWith(path)) failed.push(response.url());
  });
  return failed;
}

/** Runs in the page. Controls that only a colour tells from it, which is gone in forced colours. */
function borderless(): string[] {
  return (
    [...document.querySelectorAll("button, input, select, textarea, a.button")]
      .filter((element) => element.checkVisibility() && element.getClientRects().length > 0)
      // Fields for programs alone are kept from people in every other way.
      .filter((element) => !element.closest("[inert]"))
      // A field may leave its border to the cell of the form that it fills.
      .filter((element) => !hasBorder(element) && !hasBorder(element.parentElement))
      .map((element) => element.outerHTML.slice(0, 120))
  );

  function hasBorder(element: Element | null): boolean {
    if (!element) return false;
    const { borderBottomWidth, borderBottomStyle } = getComputedStyle(element);
    return borderBottomStyle !== "none" && Number.parseFloat(borderBottomWidth) >= 1;
  }
}

/**
 * Runs in the page, which the keyboard has been used on, so that :focus-visible holds. Gives the focus to everything that
 * takes it, from the last to the first, and tells where it isn't seen.
 */
function focusFaults(): string[] {
  const bar = document.querySelector("body > header");
  const stops = [
    ...document.querySelectorAll<HTMLElement>("main a, main button, main input, main select"),
    ...document.querySelectorAll<HTMLElement>("main textarea, main summary, footer a"),
  ].filter((element) => element.checkVisibility() && element.tabIndex >= 0);
  window.scrollTo(0, document.body.scrollHeight);
  const found: string[] = [];
  // Backwards, as Shift+Tab goes: each stop comes into the window from above, where the bar is.
  for (const element of stops.reverse()) {
    element.focus();
    if (document.activeElement !== element) continue;
    const words = element.outerHTML.slice(0, 120);
    const box = element.getBoundingClientRect();
    const barEnd = bar?.getBoundingClientRect().bottom ?? 0;
    if (box.top < barEnd - 1) found.push(`${box.top} px is under the bar: ${words}`);
    if (box.top >= window.innerHeight) found.push(`below the window: ${words}`);
    const focused = looks(element);
    element.blur();
    if (looks(element) === focused) found.push(`looks the same with the focus: ${words}`);
  }
  window.scrollTo(0, 0);
  return found;

  // The mark may stand on a box around the element: a whole tile, a row of a form.
  function looks(element: Element): string {
    const boxes = [element, element.parentElement, element.closest("li")];
    return boxes
      .flatMap((box) => (box ? [null, "::before", "::after"].map((part) => [box, part]) : []))
      .map(([box, part]) => {
        const style = getComputedStyle(box as Element, part as string | null);
        return `${style.outline} ${style.boxShadow} ${style.backgroundColor} ${style.border}`;
      })
      .join();
  }
}

type Shift = { value: number; moved: string[] };
type Watched = Window & { layoutShifts?: Shift[] };
type LayoutShift = PerformanceEntry & { value: number; sources?: { node: Node | null }[] };

/**
 * Notes every layout shift from the first paint on. Answers how to read those that are seen: what moved, and how far.
 */
async function watchLayoutShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    (window as Watched).layoutShifts = shifts;
    const observer = new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as LayoutShift[]) {
        const moved = (sources ?? []).map(({ node }) => {
          const element = node instanceof Element ? node : node?.parentElement;
          return element ? `${element.tagName.toLowerCase()}.${element.classList}` : "?";
        });
        shifts.push({ value, moved });
      }
    });
    observer.observe({ type: "layout-shift", buffered: true });
  });
  return async function readShifts() {
    const shifts = await page.evaluate(async () => {
      // Two frames: one that lays out what came last, and one in which the observer has heard of it.
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
      return (window as Watched).layoutShifts ?? [];
    });
    const seen = shifts.filter(({ value }) => value >= leastSeenShift);
    return seen.map(({ value, moved }) => `${value.toFixed(4)}: ${moved.join(", ")}`);
  };
}
