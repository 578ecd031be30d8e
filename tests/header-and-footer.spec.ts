import { torontoYear } from "#content/toronto-time.ts";
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
  reducedMotion: "no-preference",
});

test.describe("on a wide screen", () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test("the bar stays at the top, without a menu button, and can be skipped", async ({ page }) => {
    await page.goto("/");
    const bar = page.getByRole("banner");
    await expect(page.getByRole("button", { name: /menu/i })).toHaveCount(0);
    await page.keyboard.press("Tab");
    const skipLink = page.getByRole("link", { name: "Skip to the content" });
    await expect(skipLink).toBeFocused();
    await expect(skipLink).toBeInViewport();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("main")?.id)).toBe("main");
    await page.mouse.wheel(0, 1_500);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500);
    await expect.poll(async () => (await bar.boundingBox())?.y).toBe(0);
  });

  test("each page's own link is highlighted, in forced colours too", async ({ page, request }) => {
    for (const [path, current] of [
      ["/", "Home"],
      ["/pricing", "Pricing"],
      ["/use-cases", "Use Cases"],
      ["/newsletter", "Newsletter"],
      ["/about", "About"],
      ["/contact", "Contact"],
    ] as const) {
      const html = await (await request.get(path)).text();
      const [, wide = ""] = /<nav[^>]*site-nav-wide.*?>(.*?)<\/nav>/s.exec(html) ?? [];
      const marked = [...wide.matchAll(/<a[^>]*aria-current="page"[^>]*>([^<]+)/g)];
      const names = marked.map(([, name]) => name).filter((name) => name !== audit);
      expect(names, path).toEqual([current]);
    }
    // On a page within a section the section's link says so.
    await page.goto("/use-cases/leads");
    const navigation = page.getByRole("navigation", { name: "Main" });
    const marked = navigation.locator("[aria-current=true]");
    await expect(navigation.locator("[aria-current]")).toHaveText(["Use Cases"]);
    await expect(marked).toHaveText("Use Cases");
    const underline = (link: typeof marked) =>
      link.evaluate((element) => getComputedStyle(element).borderBottomColor);
    for (const forcedColors of ["none", "active"] as const) {
      await page.emulateMedia({ forcedColors });
      const other = navigation.getByRole("link", { name: "About" });
      expect(await underline(marked)).not.toBe(await underline(other));
    }
  });

  test("pages are fetched ahead, but for nobody who saves data", async ({ page }) => {
    const linkTo = (name: string) =>
      page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true });
    await page.goto("/");
    await page.waitForLoadState("networkidle");
    for (const [name, show] of [
      ["About", () => linkTo("About").hover()],
      ["Contact", () => linkTo("Contact").focus()],
      ["Pricing", () => linkTo("Pricing").dispatchEvent("pointerdown")],
    ] as const) {
      const asked = page.waitForRequest(new RegExp(`/${name.toLowerCase()}$`));
      await show();
      await asked;
    }
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "connection", { value: { saveData: true } });
    });
    await page.goto("/");
    await page.waitForLoadState("networkidle");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.mouse.move(0, 0);
    await linkTo("About").hover();
    // Asked after what the link would have been.
    const last = page.waitForRequest(/last$/);
    await page.evaluate(() => fetch("/favicon.svg?last").then(() => {}));
    expect(asked).toEqual([(await last).url()]);
  });

  test("the footer names the firm, and leads to the top of pages", async ({ page }) => {
    await page.goto("/terms");
    const footer = page.getByRole("contentinfo");
    await expect(footer).toContainText(`© ${torontoYear(new Date())} North Grid`);
    await expect(footer.getByRole("link", { name: "office@northgrid.example" })).toHaveAttribute(
      "href",
      "mailto:office@northgrid.example",
    );
    await expect(page.getByRole("banner")).toContainText("North Grid");
    for (const [name, path] of [
      ["Pricing", "/pricing"],
      ["Use Cases", "/use-cases"],
      ["About", "/about"],
      ["Contact", "/contact"],
      ["Terms & Conditions", "/terms"],
      ["Privacy Policy", "/privacy"],
    ] as const) {
      await footer.getByRole("link", { name, exact: true }).click();
      await expect(page).toHaveURL(path);
      await expect.soft(page.locator("h1"), path).toBeInViewport();
    }
  });

  test("the telephone is copied, and says if it is open", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto("/about");
    await expect(page.locator(".site-footer .open-now")).toHaveText(
      /^(Open now|Opens (\w+ )?9 AM)$/,
    );
    const number = page.getByRole("contentinfo").getByRole("link", { name: phone });
    await expect(number).toHaveAttribute("href", "tel:+14165550177");
    await number.click();
    await expect(page.getByRole("contentinfo")).toContainText("Copied");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(phone);
  });
});

test.describe("on a small screen", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("the menu button opens and closes links for fingers", async ({ page }) => {
    await page.goto("/pricing");
    const open = page.getByRole("button", { name: "Open menu" });
    const close = page.getByRole("button", { name: "Close menu" });
    const menu = page.getByRole("navigation", { name: "Main" });
    const symbol = (name: string) => page.locator(`.menu-toggle .symbol-${name}`);

    await expect(menu).toHaveCount(0);
    await expect(symbol("menu")).toBeVisible();
    await expect(symbol("close")).toBeHidden();
    await expect(open).toHaveAttribute("aria-expanded", "false");
    await open.click();
    await expect(close).toHaveAttribute("aria-expanded", "true");
    await expect(symbol("menu")).toBeHidden();
    await expect(symbol("close")).toBeVisible();
    await expect(menu.getByRole("link")).toHaveText([...links, audit, phone]);
    await expect(menu.locator("[aria-current=page]")).toHaveText(["Pricing"]);
    await expect(menu.getByRole("link", { name: audit })).toHaveAttribute("href", "/contact");
    const boxes = await menu
      .getByRole("link")
      .evaluateAll((all) => all.map((link) => link.getBoundingClientRect().toJSON() as DOMRect));
    for (const [index, { top, height }] of boxes.entries()) {
      expect(height).toBeGreaterThanOrEqual(44);
      expect(top).toBeGreaterThanOrEqual(boxes[index - 1]?.bottom ?? 0);
    }
    await close.click();
    await expect(menu).toHaveCount(0);
    // A followed link closes it too.
    await open.click();
    await menu.getByRole("link", { name: "About" }).click();
    await expect(page).toHaveURL(/\/about$/);
    await expect(menu).toHaveCount(0);
    await expect(open).toBeVisible();
  });

  test("by keyboard, Escape closes the menu, and so does Tab beyond it", async ({ page }) => {
    await page.goto("/");
    const open = page.getByRole("button", { name: "Open menu" });
    const menu = page.getByRole("navigation", { name: "Main" });
    await open.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Close menu" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(menu).toHaveCount(0);
    await expect(open).toBeFocused();
    await page.keyboard.press("Enter");
    for (const name of [...links, audit, phone]) {
      await page.keyboard.press("Tab");
      await expect(menu.getByRole("link", { name, exact: true })).toBeFocused();
    }
    // The menu covered the next link.
    await page.keyboard.press("Tab");
    await expect(open).toBeVisible();
    await expect(page.locator("main :focus")).toBeInViewport();
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

test.describe("with nothing set", () => {
  test.use({
    siteSettings: {
      SITE_PHONE: "",
      SITE_STREET: "",
      SITE_POSTAL_CODE: "",
      SITE_PROFILE_URL: "",
    },
  });

  test("no example of a telephone, a street or a profile is shown as the firm's", async ({
    request,
  }) => {
    for (const path of [
      "/",
      "/about",
      "/contact",
      "/newsletter",
      "/terms",
      "/privacy",
      "/llms.txt",
    ]) {
      const words = await (await request.get(path)).text();
      expect(words, path).not.toMatch(/555.0142|1 Example Street|M5V 0A0|profiles\.example|tel:"/);
      expect(words, path).not.toMatch(/<p>or call|Phone: [.<]/);
    }
  });
});

test("a booking link to our own page stays in its tab", async ({ page }) => {
  await page.goto("/use-cases/client-management");
  const links = page.getByRole("main").getByRole("link", { name: "Book Your Free Consultation" });
  for (const link of await links.all()) {
    await expect(link).not.toHaveAttribute("target", /./);
    await expect(link).toHaveAttribute("href", "/contact#discovery-call");
  }
  await links.first().click();
  await expect(page).toHaveURL("/contact#discovery-call");
});
