import { missingPageComplaint, sitePages } from "../every-page/routes.ts";
import { sideways } from "../every-page/sideways.ts";
import { smallLetters } from "../every-page/small-letters.ts";
import { stopsToBooking, wayToBooking, wayToBookingFaults } from "../every-page/way-to-booking.ts";
import { expect, test } from "./engine-test.ts";
import { accessibilityFaults } from "./tab.ts";

/** A desk, where each page is loaded, a phone, and the narrowest there is. */
const loadedPx = 1440;
const widthsPx = [loadedPx, 390, 320];

/** One of each kind; Chromium is asked about every page. */
const kinds = ["/", "/use-cases/leads", "/contact", "/privacy", "/newsletter/1", "/no-such-page"];

/** Axe reads the same HTML in every engine; these pages have the most that an engine draws by itself. */
const audited = ["/", "/contact", "/newsletter/1"];

for (const { name, path, status } of sitePages.filter((page) => kinds.includes(page.path))) {
  test(`${name} has its faces, its underlines and no fault`, async ({ tab, site }) => {
    const before = (await tab.complaints()).length;
    await tab.resize(loadedPx);
    await tab.open(site.url + path);
    expect.soft(await tab.run(missingFaces), "faces").toEqual([]);
    expect.soft(await tab.run(linksLikeText), "links like the text around them").toEqual([]);
    for (const width of widthsPx) {
      if (width !== loadedPx) await tab.resize(width);
      // Asked again: after its new width is known, a browser may still answer with boxes of the old one for a frame.
      await expect
        .configure({ soft: true })
        .poll(() => tab.run(sideways), `at ${width} px`)
        .toEqual([]);
      if (width === 390) {
        for (let stop = 0; stop < stopsToBooking; stop += 1) await tab.press("Tab");
        expect
          .soft(await tab.run(wayToBookingFaults, wayToBooking), "way to the booking")
          .toEqual([]);
        if (audited.includes(path)) {
          expect.soft(await accessibilityFaults(tab), "axe").toEqual([]);
        }
      }
      if (width !== 320) continue;
      expect.soft(await tab.run(smallLetters), "letters at 320 px").toEqual([]);
    }
    const complaints = (await tab.complaints()).slice(before);
    const unexpected = complaints.filter(
      (line) => status === 200 || !missingPageComplaint.test(line),
    );
    expect.soft(unexpected, "complaints").toEqual([]);
  });
}

/** Runs in the page: the headings' face, if it hasn't come or isn't theirs. Running text may keep its stand-in. */
async function missingFaces(): Promise<string[]> {
  await document.fonts.ready;
  const loaded = [...document.fonts]
    .filter(({ status }) => status === "loaded")
    .map(({ family }) => family.replaceAll('"', ""));
  const heading = document.querySelector("h1");
  const headingFace = heading && getComputedStyle(heading).fontFamily.replaceAll('"', "");
  return [
    ...["Archivo Wide"].filter((family) => !loaded.includes(family)),
    ...(headingFace?.startsWith("Archivo Wide") ? [] : [`h1 in ${headingFace}`]),
  ];
}

/** Runs in the page: links in running text that only their colour tells from it (WCAG 1.4.1). */
function linksLikeText(): string[] {
  return [...document.querySelectorAll<HTMLElement>("main :is(p, li, dd, td) a")]
    .filter((link) => link.checkVisibility())
    .filter((link) => {
      const block = link.closest("p, li, dd, td, h3");
      return block?.textContent?.trim() !== link.textContent?.trim();
    })
    .filter((link) => !/button|tile-link/.test(link.className))
    .filter((link) => !getComputedStyle(link).textDecorationLine.includes("underline"))
    .map((link) => link.outerHTML.slice(0, 120));
}
