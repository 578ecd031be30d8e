import { torontoYear } from "#content/toronto-time.ts";
import { untilScriptsAreUp } from "./scripts-are-up.ts";
import { expect, test } from "./site-test.ts";

const links = ["Home", "Pricing", "Use Cases", "Newsletter", "About", "Contact"];
const audit = "Get Your Free Automation Audit";
const phone = "+1 416 555 0177";
test.use({
  siteSettings: {
    SITE_EMAIL: "office@northgrid.example",
    SITE_NAME: "North Grid",
    SITE_PHONE: phone,
  },
});

const small = { width: 390, height: 844 };
const wide = { width: 1440, height: 900 };

test.describe("on a wide screen", () => {
  test.use({ viewport: wide });

  test("the bar stays at the top while the page scrolls", async ({ page }) => {
    await page.goto("/");
    const bar = page.getByRole("banner");
    await expect(bar).toHaveCSS("position", "sticky");
    await page.mouse.wheel(0, 1_500);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500);
    expect((await bar.boundingBox())?.y).toBe(0);
  });

  test("the bar has its six links, the audit button and no menu button", async ({ page }) => {
    await page.goto("/");
    const navigation = page.getByRole("navigation", { name: "Main" });
    await expect(navigation.getByRole("link")).toHaveText([...links, audit]);
    await expect(navigation.getByRole("link", { name: audit })).toHaveAttribute("href", "/contact");
    await expect(page.getByRole("button", { name: /menu/i })).toHaveCount(0);
  });

  test("on each page its own link is highlighted, alone", async ({ page }) => {
    for (const [path, current] of [
      ["/", "Home"],
      ["/pricing", "Pricing"],
      ["/use-cases", "Use Cases"],
      ["/newsletter", "Newsletter"],
      ["/about", "About"],
      ["/contact", "Contact"],
    ] as const) {
      await page.goto(path);
      const navigation = page.getByRole("navigation", { name: "Main" });
      const marked = navigation.locator("[aria-current=page]").filter({ hasNotText: audit });
      await expect(marked, path).toHaveText([current]);
      const other = navigation.getByRole("link", { name: current === "About" ? "Home" : "About" });
      const underline = (link: typeof other) =>
        link.evaluate((element) => getComputedStyle(element).borderBottomColor);
      expect.soft(await underline(marked), path).not.toBe(await underline(other));
    }
  });
});

test("on a page within a section the section's link says so, and the page's own is no link", async ({
  page,
}) => {
  await page.setViewportSize(wide);
  await page.goto("/use-cases/leads");
  const navigation = page.getByRole("navigation", { name: "Main" });
  await expect(navigation.locator("[aria-current]")).toHaveText(["Use Cases"]);
  await expect(navigation.locator("[aria-current]")).toHaveAttribute("aria-current", "true");
});

test("after a followed link the focus is at the new page, whose title is announced", async ({
  page,
}) => {
  await page.setViewportSize(wide);
  await page.goto("/");
  await untilScriptsAreUp(page);
  const link = page.getByRole("contentinfo").getByRole("link", { name: "About", exact: true });
  await link.focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/about$/);
  await expect(page.getByRole("main")).toBeFocused();
  await expect(page.locator("p.sr-only[aria-live]").last()).toHaveText(await page.title());
  await page.keyboard.press("Tab");
  await expect(page.locator("main :focus")).toBeInViewport();
});

test("the current link is told from the others in forced colours too", async ({ page }) => {
  await page.setViewportSize(wide);
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/pricing");
  const colour = (name: string) =>
    page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name, exact: true })
      .evaluate((link) => getComputedStyle(link).borderBottomColor);
  expect(await colour("Pricing")).not.toBe(await colour("About"));
});

test.describe("on a small screen", () => {
  test.use({ viewport: small });

  test("the menu button opens and closes the same links, and shows which it does", async ({
    page,
  }) => {
    await page.goto("/pricing");
    const open = page.getByRole("button", { name: "Open menu" });
    const close = page.getByRole("button", { name: "Close menu" });
    const menu = page.getByRole("navigation", { name: "Main" });
    const symbol = (name: string) => page.locator(`.menu-toggle .symbol-${name}`);

    await expect(menu).toHaveCount(0);
    await expect(symbol("menu")).toBeVisible();
    await expect(symbol("close")).toBeHidden();
    await open.click();
    expect(await page.locator(".menu-toggle").getAttribute("aria-expanded")).toBe("true");
    await expect(close).toBeVisible();
    await expect(symbol("menu")).toBeHidden();
    await expect(symbol("close")).toBeVisible();
    await expect(menu.getByRole("link")).toHaveText([...links, audit, phone]);
    await expect(menu.getByRole("link", { name: "Pricing" })).toHaveAttribute(
      "aria-current",
      "page",
    );
    await expect(menu.getByRole("link", { name: audit })).toHaveAttribute("href", "/contact");

    await close.click();
    await expect(menu).toHaveCount(0);
    await expect(open).toHaveAttribute("aria-expanded", "false");
  });

  test("the links stand under one another, each as tall as a finger needs", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("button", { name: "Open menu" }).click();
    const boxes = await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link")
      .evaluateAll((all) => all.map((link) => link.getBoundingClientRect().toJSON() as DOMRect));
    expect(boxes).toHaveLength(links.length + 2);
    for (const [index, { top, height }] of boxes.entries()) {
      expect(height).toBeGreaterThanOrEqual(44);
      expect(top).toBeGreaterThanOrEqual(boxes[index - 1]?.bottom ?? 0);
    }
  });

  test("Escape closes the menu and gives the focus back to its button", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("button", { name: "Open menu" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Close menu" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("navigation", { name: "Main" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Open menu" })).toBeFocused();
  });

  test("Tab goes from the button through the menu's links in order, and beyond them closes it", async ({
    page,
  }) => {
    await page.goto("/");
    await page.getByRole("button", { name: "Open menu" }).focus();
    await page.keyboard.press("Enter");
    for (const name of [...links, audit, phone]) {
      await page.keyboard.press("Tab");
      await expect(
        page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }),
      ).toBeFocused();
    }
    // What comes next was covered by it.
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button", { name: "Open menu" })).toBeVisible();
    await expect(page.locator("main :focus")).toBeInViewport();
  });

  test("a followed link closes the menu", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("button", { name: "Open menu" }).click();
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "About" })
      .click();
    await expect(page).toHaveURL(/\/about$/);
    await expect(page.getByRole("navigation", { name: "Main" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Open menu" })).toBeVisible();
  });

  test.describe("without scripts", () => {
    test.use({ javaScriptEnabled: false });

    test("the menu opens, closes and leads to every page", async ({ page }) => {
      await page.goto("/");
      const toggle = page.locator(".menu-toggle");
      const menu = page.getByRole("navigation", { name: "Main" });
      await toggle.click();
      await expect(menu.getByRole("link")).toHaveText([...links, audit, phone]);
      await toggle.click();
      await expect(menu).toHaveCount(0);
      await toggle.click();
      await menu.getByRole("link", { name: "Newsletter" }).click();
      await expect(page).toHaveURL(/\/newsletter$/);
    });
  });
});

test.describe("the telephone", () => {
  test("is copied with a mouse, and says so", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto("/about");
    await untilScriptsAreUp(page);
    const number = page.getByRole("contentinfo").getByRole("link", { name: phone });
    await expect(number).toHaveAttribute("href", "tel:+14165550177");
    await number.click();
    await expect(page.getByRole("contentinfo")).toContainText("Copied");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(phone);
  });

  test("says beside it whether somebody is there, and takes no room for it", async ({ page }) => {
    await page.goto("/about");
    await expect(page.locator(".site-footer .open-now")).toHaveText(
      /^(Open now|Opens (\w+ )?9 AM)$/,
    );
  });
});

test.describe("the footer", () => {
  test("names the firm, its e-mail and the year it is in Toronto", async ({ page }) => {
    await page.goto("/terms");
    const footer = page.getByRole("contentinfo");
    await expect(footer).toContainText(`© ${torontoYear(new Date())} North Grid`);
    await expect(footer.getByRole("link", { name: "office@northgrid.example" })).toHaveAttribute(
      "href",
      "mailto:office@northgrid.example",
    );
    await expect(footer).toContainText("Schedule a consultation to get started");
    await expect(page.getByRole("banner")).toContainText("North Grid");
  });

  test("leads to the top of every page that it names", async ({ page }) => {
    test.slow();
    for (const [name, path] of [
      ["Pricing", "/pricing"],
      ["Use Cases", "/use-cases"],
      ["About", "/about"],
      ["Contact", "/contact"],
      ["Terms & Conditions", "/terms"],
      ["Privacy Policy", "/privacy"],
    ] as const) {
      await page.goto("/");
      await page.getByRole("contentinfo").getByRole("link", { name, exact: true }).click();
      await expect(page).toHaveURL(new RegExp(`${path}$`));
      await expect.soft(page.locator("h1"), path).toBeInViewport();
    }
  });
});
