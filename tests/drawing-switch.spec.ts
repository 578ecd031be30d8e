import { expect, test } from "./site-test.ts";

test.use({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });

test("by the keyboard alone the arrows of the switch show the drawing of today or the one of after, and the marker follows", async ({
  page,
}) => {
  await page.goto("/use-cases/leads");
  const today = page.locator(".before-and-after figure").first();
  const after = page.locator(".before-and-after figure").last();
  const chosen = page.getByRole("radio", { checked: true });
  // Past the bar by the skip link; the way back stands before the drawings.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  for (const crumb of ["Home", "Use Cases"]) {
    await page.keyboard.press("Tab");
    await expect(
      page.locator("main").getByRole("link", { name: crumb, exact: true }),
    ).toBeFocused();
  }
  await page.keyboard.press("Tab");
  await expect(chosen).toBeFocused();
  await expect(page.locator(".drawing-switch label:focus-within")).toHaveCSS(
    "outline-style",
    "solid",
  );
  for (const [key, shown, hidden] of [
    ["ArrowRight", after, today],
    ["ArrowRight", today, after],
    ["ArrowLeft", after, today],
    ["ArrowUp", today, after],
    ["ArrowDown", after, today],
  ] as const) {
    await page.keyboard.press(key);
    await expect(shown, key).toBeVisible();
    await expect(hidden, key).toBeHidden();
  }
  await page.keyboard.press("Tab");
  await expect(chosen).not.toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(page.getByRole("radio", { name: "After" })).toBeFocused();
});
