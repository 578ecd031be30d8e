import { openTab } from "./engines/open-tab.ts";
import { expect, test } from "./site-test.ts";

test("with letters twice as large on a phone the bar stays low, no line lies on another, and what stood side by side is stacked", async ({
  site,
}) => {
  const tab = await openTab("chromium", { textPx: 32 });
  try {
    await tab.resize(320);
    await tab.open(`${site.url}/newsletter`);
    const barHeight = () => document.querySelector(".site-header")?.getBoundingClientRect().height;
    await expect.poll(() => tab.run(barHeight)).toBeLessThan(100);
    const looseness = () => {
      const intro = document.querySelector(".newsletter-intro");
      const { lineHeight, fontSize } = getComputedStyle(intro ?? document.body);
      return Number.parseFloat(lineHeight) / Number.parseFloat(fontSize);
    };
    expect(await tab.run(looseness)).toBeGreaterThanOrEqual(1.2);
    await tab.open(`${site.url}/`);
    const keyWidth = () =>
      document.querySelector(".rows.keyed li > *")?.getBoundingClientRect().width;
    await expect.poll(() => tab.run(keyWidth)).toBeGreaterThan(100);
  } finally {
    await tab.close();
  }
});
