import { newAddress } from "./new-address.ts";
import { expect, test } from "./site-test.ts";

test.describe("a colour of the firm's own", () => {
  const green = "#0b6e4f";
  const greenInCss = "rgb(11, 110, 79)";
  const usual = /#1f4fd8|#ff6b1a/i;
  test.use({ siteSettings: { SITE_COLOUR: green } });

  test("is that of links, marks and buttons, and of mail", async ({ page, site }) => {
    await page.goto("/contact");
    await expect(page.locator("main a[href^='mailto:']").first()).toHaveCSS("color", greenInCss);
    const button = page.getByRole("button", { name: "Send Message" });
    await expect(button).not.toHaveCSS("background-color", "rgb(255, 107, 26)");
    // By the router, to a page with styles of its own.
    await page.getByRole("link", { name: "Privacy Policy" }).last().click();
    await expect(page.locator("main a[href^='mailto:']").first()).toHaveCSS("color", greenInCss);

    const email = newAddress();
    await page.goto("/newsletter");
    const form = page.locator(".join-band form");
    await form.getByLabel("Email address").fill(email);
    await form.getByRole("button").click();
    const { html = "" } = await site.mailTo(email);
    expect(html).toContain(`background-color:${green}`);
    expect(html).not.toMatch(usual);
  });

  test("is that of icons, shared pictures and plain pages", async ({ request }) => {
    expect(await (await request.get("/favicon.svg")).text()).not.toMatch(usual);
    for (const path of ["/icon-512.png", "/share/home.png", "/favicon.ico"]) {
      const picture = await (await request.get(path)).body();
      expect(picture.subarray(1, 4).toString(), path).toBe("PNG");
      const at = picture.indexOf("PLTE");
      const palette = picture.subarray(at + 4, at + 4 + picture.readUInt32BE(at - 4));
      expect(palette.toString("hex"), path).not.toMatch(/1f4fd8|ff6b1a/);
    }
    const unreadable = await request.post("/contact", {
      headers: { "Content-Type": "multipart/form-data" },
      data: "nothing",
    });
    expect(unreadable.status()).toBe(400);
    expect(await unreadable.text()).toContain(green);
    expect(await unreadable.text()).not.toMatch(usual);
  });
});

test.describe("a logo of the firm's own", () => {
  // A PNG of 192 × 192 pixels.
  test.use({ siteSettings: { SITE_LOGO: "public/icon-192.png" } });

  test("replaces ours in the bar, icons, data and pictures", async ({ page, request, site }) => {
    await page.goto("/");
    const logo = page.locator(".site-header .site-name img");
    await expect(logo).toHaveJSProperty("naturalWidth", 192);
    const icons = page.locator('head link[rel~="icon"], head link[rel="apple-touch-icon"]');
    for (const icon of await icons.all()) await expect(icon).toHaveAttribute("href", "/logo.png");
    const data = await page.locator('script[type="application/ld+json"]').allTextContents();
    expect(data.join()).toMatch(/"logo":"[^"]+\/logo\.png"/);
    const manifest = await (await request.get("/manifest.webmanifest")).json();
    expect(manifest.icons).toEqual([{ src: "/logo.png", sizes: "any" }]);
    const own = await (await request.get("/logo.png")).body();
    expect(await (await request.get("/favicon.ico")).body()).toEqual(own);
    expect((await request.get("/favicon.svg")).status()).toBe(404);

    const colours = await page.evaluate(async (address) => {
      const picture = new Image();
      picture.src = address;
      await picture.decode();
      const { width, height } = picture;
      const canvas = Object.assign(document.createElement("canvas"), { width, height });
      const drawing = canvas.getContext("2d", { willReadFrequently: true });
      drawing?.drawImage(picture, 0, 0);
      const at = (x: number, y: number) =>
        [...(drawing?.getImageData(x, y, 1, 1).data ?? [])].slice(0, 3).join();
      return { size: `${width} × ${height}`, mark: at(540, 490), sheet: at(1100, 480) };
    }, `${site.url}/share/contact.png`);
    expect(colours).toEqual({ size: "1200 × 630", mark: "250,252,246", sheet: "250,252,246" });
  });
});
