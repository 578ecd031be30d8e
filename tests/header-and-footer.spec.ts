import { torontoYear } from "#content/toronto-time.ts";
import { accessibilityFaults } from "./every-page/axe.ts";
import { expect, test } from "./site-test.ts";

const links = ["Home", "Pricing", "Use Cases", "Newsletter", "About", "Contact"];
const audit = "Get Your Free Automation Audit";
const phone = "+1 416 555 0177";
const call = `Call ${phone}`;
const reviews = "https://reviews.example/northgrid";
test.use({
  siteSettings: {
    SITE_EMAIL: "office@northgrid.example",
    SITE_NAME: "North Grid",
    SITE_PHONE: phone,
    SITE_REGISTRATION: "Northgrid Inc., 1000000001",
    SITE_WSIB: "A1B2C3",
    SITE_REVIEWS_URL: reviews,
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

  test("the footer names the firm, calls it, says if it is open, and leads to the top of pages", async ({
    page,
  }) => {
    await page.goto("/terms");
    const footer = page.getByRole("contentinfo");
    await expect(footer).toContainText(
      `© ${torontoYear(new Date())} North Grid · Northgrid Inc., 1000000001`,
    );
    await expect(footer.getByRole("link", { name: "office@northgrid.example" })).toHaveAttribute(
      "href",
      "mailto:office@northgrid.example",
    );
    await expect(page.getByRole("banner")).toContainText("North Grid");
    await expect(footer.locator(".open-now")).toHaveText(/^(Open now|Opens (\w+ )?9 AM)$/);
    await expect(footer.getByRole("link", { name: call })).toHaveAttribute(
      "href",
      "tel:+14165550177",
    );
    for (const [name, path] of [
      ["Pricing", "/pricing"],
      ["Privacy Policy", "/privacy"],
    ] as const) {
      await footer.getByRole("link", { name, exact: true }).click();
      await expect(page).toHaveURL(path);
      await expect.soft(page.locator("h1"), path).toBeInViewport();
    }
  });

  test("About has those facts that a registry confirms", async ({ page }) => {
    await page.goto("/about");
    const main = page.getByRole("main");
    await expect(main).toContainText("WSIB clearanceA1B2C3");
    await expect(main).not.toContainText("Liability insurance");
    await expect(main.locator(`a[href="${reviews}"]`)).toBeVisible();
  });
});

test.describe("on a small screen", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("the menu button opens and closes links for fingers", async ({ page }) => {
    await page.goto("/pricing");
    const open = page.getByRole("button", { name: "Open menu" });
    const close = page.getByRole("button", { name: "Close menu" });
    const menu = page.getByRole("navigation", { name: "Main" });

    await expect(menu).toHaveCount(0);
    await expect(open).toHaveAttribute("aria-expanded", "false");
    await open.click();
    await expect(close).toHaveAttribute("aria-expanded", "true");
    await expect(menu.getByRole("link")).toHaveText([...links, audit, call]);
    await expect(menu.locator("[aria-current=page]")).toHaveText(["Pricing"]);
    await expect(menu.getByRole("link", { name: audit })).toHaveAttribute("href", "/contact");
    expect(await accessibilityFaults(page)).toEqual([]);
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
    for (const name of [...links, audit, call]) {
      await page.keyboard.press("Tab");
      await expect(menu.getByRole("link", { name, exact: true })).toBeFocused();
    }
    // The menu covered the next link.
    await page.keyboard.press("Tab");
    await expect(open).toBeVisible();
    await expect(page.locator("main :focus")).toBeInViewport();
  });
});

const nothingSet = { SITE_PHONE: "", SITE_STREET: "", SITE_POSTAL_CODE: "", SITE_PROFILE_URL: "" };
const telling = ["/", "/about", "/contact", "/newsletter", "/terms", "/privacy"];

test.describe("with nothing set, on this machine", () => {
  test.use({ siteSettings: nothingSet });

  test("examples make a first look whole, in structured data too", async ({ request }) => {
    const home = await (await request.get("/")).text();
    expect(home).toMatch(/>Call(?:<!-- -->| )+\+1 416 555 0142</);
    expect(home).toContain('"telephone":"+1 416 555 0142"');
    expect(home).toContain('"streetAddress":"1 Example Street","postalCode":"M5V 0A0"');
    expect(home).toContain('"sameAs":["https://profiles.example/chalkline"]');
    expect(await (await request.get("/about")).text()).toContain("Our business profile");
  });
});

test.describe("with nothing set, on a public address", () => {
  test.use({ siteSettings: { ...nothingSet, SITE_URL: "https://northgrid.example" } });

  test("no example is shown as the firm's, nor words that speak of it", async ({ request }) => {
    for (const path of telling) {
      const words = await (await request.get(path)).text();
      expect(words, path).not.toMatch(/555.0142|1 Example Street|M5V 0A0|profiles\.example|tel:"/);
      expect(words, path).not.toMatch(
        /class="open-now|>Call<|[Ww]rite or call|Phone: [.<]|or at Toronto/,
      );
      expect(words, path).not.toMatch(/Registered as|WSIB|Liability/);
    }
  });
});

test("client management's booking opens our own page in a new tab too", async ({ page }) => {
  await page.goto("/use-cases/client-management");
  const links = page.getByRole("main").getByRole("link", { name: "Book Your Free Consultation" });
  const opened = page.waitForEvent("popup");
  await links.first().click();
  await expect(await opened).toHaveURL("/contact#discovery-call");
});
