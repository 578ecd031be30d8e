import type { Page } from "@playwright/test";
import { expect, test } from "../site-test.ts";
import { missingPageComplaint, sitePages } from "./routes.ts";
import { sideways } from "./sideways.ts";
import { smallLetters } from "./small-letters.ts";
import { tornWords } from "./torn-words.ts";

test.describe.configure({ mode: "parallel" });

/** 320 px is what WCAG 1.4.10 asks for: a window of 1280 px at 400 %. */
const reflowWidthsPx = [320, 390, 768, 1040, 1440, 1920];

/** Where no line may end in the middle of a short compound or a figure, or be one of two letters. */
const tornWidthsPx = [320, 390, 768, 1440];

/** A browser set to letters twice the usual 16 px, as WCAG 1.4.4 asks for. */
const doubledTextPx = 32;
const doubledTextWidthsPx = [640, 1280];

test.use({ reducedMotion: "reduce" });

for (const { name, path, status } of sitePages) {
  test(`${name} has nothing sideways at any width or with text at 200 %, nothing that moves, and no small letters`, async ({
    page,
    expectConsole,
  }) => {
    if (status === 404) expectConsole(missingPageComplaint);
    await page.goto(path);
    expect.soft(await moving(page), "animations despite reduced motion").toEqual([]);
    await page.evaluate(() => document.fonts.ready);
    for (const width of reflowWidthsPx) {
      await resizeTo(page, width);
      await softly(() => page.evaluate(smallLetters), `letters at ${width} px`);
      await softly(() => page.evaluate(sideways), `at ${width} px`);
      if (!tornWidthsPx.includes(width)) continue;
      expect.soft(await page.evaluate(tornWords), `torn at ${width} px`).toEqual([]);
    }
    await page.emulateMedia({ forcedColors: "active" });
    expect.soft(await borderless(page), "no border in forced colours").toEqual([]);
    await page.emulateMedia({ forcedColors: null });
    const devTools = await page.context().newCDPSession(page);
    await devTools.send("Page.setFontSizes", { fontSizes: { standard: doubledTextPx } });
    for (const width of doubledTextWidthsPx) {
      await resizeTo(page, width);
      await softly(() => page.evaluate(sideways), `text at 200 %, ${width} px`);
    }
  });
}

/**
 * Until a frame has been drawn, Chromium can answer with a mixture of the old and the new width for elements sized by
 * their container.
 */
async function resizeTo(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  // The page hears of its new width after the browser has, and frames of the old one may be drawn until then.
  await page.waitForFunction((wanted) => innerWidth === wanted, width);
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
}

/** Asked again until nothing is found: drawn frames or not, a busy browser may answer with the old width once more. */
async function softly(find: () => Promise<string[]>, what: string): Promise<void> {
  await expect.configure({ soft: true }).poll(find, what).toEqual([]);
}

function moving(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 1)
      .map((animation) => String((animation as CSSAnimation).animationName)),
  );
}

/** Controls that only a colour tells from the page, which is gone in forced colours. */
function borderless(page: Page): Promise<string[]> {
  return page.evaluate(() => {
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
  });
}
