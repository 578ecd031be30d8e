import { expect, test } from "../site-test.ts";

test.describe.configure({ mode: "parallel" });

for (const path of ["/", "/contact", "/newsletter/1"]) {
  test(`the first Tab on ${path} shows the skip link, which leads past the bar`, async ({
    page,
  }) => {
    await page.goto(path);
    await page.keyboard.press("Tab");
    const skipLink = page.getByRole("link", { name: "Skip to the content" });
    await expect(skipLink).toBeFocused();
    await expect(skipLink).toBeInViewport();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("main")?.id)).toBe("main");
  });
}
