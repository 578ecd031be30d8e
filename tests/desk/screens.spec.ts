import routes from "../../desk/routes.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { resizePage } from "../every-page/resize-page.ts";
import { sideways } from "../every-page/sideways.ts";
import { smallLetters } from "../every-page/small-letters.ts";
import { sendingSettings } from "../site-server.ts";
import { expect, test } from "./desk-test.ts";
import { type DeskScreen, emptyDesk, fillDesk } from "./full-desk.ts";

// A site of its own, since it begins empty.
test.use({ siteSettings: { ...sendingSettings, SITE_NAME: "Screens & Sons" }, hasTouch: true });

test("every page is faultless, empty and full, with what is odd and what is long", async ({
  page,
  site,
  desk,
  judgeComplaints,
  expectConsole,
}) => {
  test.setTimeout(900_000);
  await lookAtAll(emptyDesk);
  const screens = await fillDesk(site);
  expect(screens.map(({ path }) => path)).toEqual(
    expect.arrayContaining(
      routes
        .filter(({ file }) => file.endsWith(".tsx") && file !== "pages/enter.tsx")
        .map(({ path = "" }) => expect.stringMatching(patternOf(path))),
    ),
  );
  await lookAtAll(screens);

  async function lookAtAll(all: readonly DeskScreen[]): Promise<void> {
    for (const { name, path, presses = [], status = 200, widths = [390, 1440] } of all) {
      if (status === 404) expectConsole(/404/);
      await page.setViewportSize({ width: widths[0] ?? 390, height: 900 });
      const answer = await page.goto(desk.url + path);
      expect(answer?.status(), name).toBe(status);
      // Nothing that comes later.
      await expect(page.getByText(/^(?:Looking at|Counting)/), name).toHaveCount(0);
      for (const selector of presses) await page.click(selector);
      for (const width of widths) {
        await resizePage(page, width);
        const where = `${name} at ${width} px`;
        const finds = [sideways, cutOff, smallLetters, ...(width === 390 ? [smallTargets] : [])];
        for (const find of finds)
          await expect.soft.poll(() => page.evaluate(find), where).toEqual([]);
      }
      // An open menu covers a part of the page.
      const within = (await page.locator(":popover-open").count()) > 0 ? ["nav"] : ["main"];
      expect.soft(await accessibilityFaults(page, within), name).toEqual([]);
      await judgeComplaints(name);
    }
  }
});

/** `issues/:id` as a part of `/issues/12?show=all`; an optional part may be missing. */
function patternOf(path: string): RegExp {
  const parts = path.replaceAll(/\/:\w+\?/g, "(?:/[^/?]+)?").replaceAll(/:\w+/g, "[^/?]+");
  return new RegExp(`^/${parts}(?:\\?.*)?$`);
}

/** Runs in the page: what scrolls sideways in a box of its own, and lines that run out of their field. */
function cutOff(): string[] {
  const found: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>("main *")) {
    if (!element.checkVisibility() || element.clientWidth === 0) continue;
    const { overflowX } = getComputedStyle(element);
    const isWider = element.scrollWidth > element.clientWidth + 1;
    const isLine = element instanceof HTMLInputElement && element.value !== "";
    const isHigher = element.scrollHeight > element.clientHeight + 1;
    const isGrown = element instanceof HTMLTextAreaElement && element.rows === 1;
    const scrolls = overflowX === "auto" || overflowX === "scroll";
    if ((isWider && (scrolls || isLine)) || (isGrown && isHigher)) {
      found.push(
        `${element.outerHTML.slice(0, 90)}: ${element.scrollWidth} in ${element.clientWidth} px`,
      );
    }
  }
  return found;
}

/** Runs in the page: what a finger can miss. A link within a sentence is as high as the sentence. */
function smallTargets(): string[] {
  const pressed = document.querySelectorAll<HTMLElement>(
    "button, summary, select, input:not([type=hidden], label *), label:has(> :is([type=checkbox], [type=radio])), a:not(p a, dd a, .skip)",
  );
  return [...pressed]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44)
    .map((one) => one.outerHTML.slice(0, 120));
}
