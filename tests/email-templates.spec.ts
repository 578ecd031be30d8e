import type { RunOptions } from "axe-core";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { accessibilityFaults } from "./every-page/axe.ts";
import { resizePage } from "./every-page/resize-page.ts";
import { publishedLetters } from "./published-letters.ts";
import { expect, test } from "./site-test.ts";

const widthsPx = [320, 600, 1200];

/** Faults alone: naming what is in order takes longer than finding out. */
const contrast: RunOptions = { runOnly: ["color-contrast"], resultTypes: ["violations"] };

// The policy would stop the styles of a body that a script puts into the page, and the pictures are on no machine.
test.use({ bypassCSP: true });

for (const source of new Set(publishedLetters.map((letter) => letter.source))) {
  test(`letters of ${source} stay on the sheet, words whole`, async ({ page, expectConsole }) => {
    expectConsole(/ERR_FAILED/);
    await page.route(/^(?!http:\/\/localhost)/, (route) => route.abort());
    await page.goto("/newsletter/1");
    await page.evaluate(() => fetch("https://pictures.example/").catch(() => {}));
    const bodies = publishedLetters
      .filter((letter) => letter.source === source)
      .map(({ name, html }) => ({ name, html: prepareIssueBody(html).html }));
    await page.evaluate(
      (letters) => {
        (window as WithLetters).letters = letters;
      },
      bodies.map(({ html }) => html),
    );
    // One width after the other, since making the window wider takes longer than giving it another letter.
    for (const width of widthsPx) {
      await resizePage(page, width);
      for (const [index, { name }] of bodies.entries()) {
        const faults = await page.evaluate(faultsOfLetter, index);
        expect.soft(faults, `${name} at ${width} px`).toEqual([]);
        if (width !== widthsPx.at(-1)) continue;
        const unreadable = await accessibilityFaults(page, [".issue-body"], contrast);
        expect.soft(unreadable, name).toEqual([]);
      }
    }
  });
}

/** Each letter is passed to the page once, not at each width. */
type WithLetters = Window & { letters?: string[] };

/**
 * Runs in the page, and gives it the letter: words outside the body or below the box that is drawn around them, words
 * broken up, columns narrower than twelve letters with room beside them, missing pictures unframed.
 */
async function faultsOfLetter(index: number): Promise<string[]> {
  const body = sheetWithLetter();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const sheet = body.getBoundingClientRect();
  const isOut = ({ left, right }: DOMRect) => right > sheet.right + 1 || left < sheet.left - 1;
  const faults: string[] = [];
  const range = document.createRange();
  const texts = textsIn(body);
  for (const text of texts) {
    const parent = text.parentElement;
    if (!parent?.checkVisibility()) continue;
    // Asking for each word takes most of the time: a text in one line inside the sheet has none that is out or broken.
    range.selectNodeContents(text);
    const lines = boxesOfRange();
    const box = parent.closest("[style*=background-color], [style*='border:']");
    const words = text.data.trim();
    if (box && words !== "" && isBelow(lines, box)) faults.push(`below its box: ${words}`);
    if (lines.length <= 1 && !lines.some(isOut)) continue;
    const scrolls = parent.closest(".issue-table-scroll");
    for (const { word, boxes } of wordBoxesOf(text)) {
      if (!scrolls && boxes.some(isOut)) faults.push(`out: ${word}`);
      // Twelve letters are the least that a column holds; longer words and addresses may break.
      const isWord = /^[\p{L}\d$.,!?:;'’"()]{2,12}$/u.test(word);
      const lines = new Set(boxes.map(({ top }) => Math.round(top / 4)));
      if (isWord && lines.size > 1) faults.push(`broken: ${word}`);
    }
  }
  faults.push(...squeezedColumns());
  for (const picture of body.querySelectorAll("img")) {
    if (picture.alt.trim() === "" || !picture.checkVisibility()) continue;
    const box = picture.getBoundingClientRect();
    const frame = getComputedStyle(picture, "::after");
    if (isOut(box) || box.width < 8 || frame.borderTopStyle !== "dashed") {
      faults.push(`picture: ${picture.alt}`);
    }
  }
  return faults;

  /** A line's letters may be higher than the line: by a quarter, no more. */
  function isBelow(lines: DOMRect[], box: Element): boolean {
    const { bottom } = box.getBoundingClientRect();
    return lines.some((line) => line.bottom - line.height / 4 > bottom);
  }

  function sheetWithLetter(): Element {
    const sheet = document.querySelector(".issue-body");
    const letter = (window as WithLetters).letters?.[index];
    if (!sheet || letter === undefined) throw new Error("There is no such letter, or no sheet.");
    sheet.innerHTML = letter;
    return sheet;
  }

  /** Cells whose words need more than a line, in less than twelve letters' width, while as much is free beside them. */
  function squeezedColumns(): string[] {
    let all: DOMRect[] | undefined;
    return [...body.querySelectorAll("td, th")].flatMap((cell) => {
      if (!cell.checkVisibility() || cell.querySelector("td, th")) return [];
      const texts = boxesIn(cell);
      const words = texts.flat();
      const room = 12 * widthOfLetter(cell);
      const right = Math.max(...words.map((word) => word.right));
      const width = right - Math.min(...words.map(({ left }) => left));
      // A text that goes on in another line was broken for want of room; one that follows another may stand there.
      const isBroken = texts.some(([first, ...more]) =>
        more.some(({ top }) => top > (first?.bottom ?? 0)),
      );
      if (!isBroken || width >= room) return [];
      all ??= boxesIn(body).flat();
      const box = cell.getBoundingClientRect();
      const beside = all.filter(
        ({ left, top, bottom }) => left >= right && bottom > box.top && top < box.bottom,
      );
      const end = Math.min(sheet.right, ...beside.map(({ left }) => left));
      return end - right > room ? [`squeezed: ${cell.textContent?.trim().slice(0, 40)}`] : [];
    });
  }

  function textsIn(element: Element): Text[] {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (walker.nextNode()) found.push(walker.currentNode as Text);
    return found;
  }

  function boxesIn(element: Element): DOMRect[][] {
    return textsIn(element).map((text) => wordBoxesOf(text).flatMap(({ boxes }) => boxes));
  }

  function wordBoxesOf(text: Text) {
    return [...text.data.matchAll(/\S+/g)].map(({ 0: word, index }) => {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return { word, boxes: boxesOfRange() };
    });
  }

  function boxesOfRange(): DOMRect[] {
    return [...range.getClientRects()].filter(({ width }) => width > 0);
  }

  /** In pixels: a letter of mean width is about half as wide as it is high. */
  function widthOfLetter(element: Element): number {
    return Number.parseFloat(getComputedStyle(element).fontSize) / 2;
  }
}
