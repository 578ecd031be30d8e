import { newAddress } from "./new-address.ts";
import { expect, test } from "./site-test.ts";

const green = "#0b6e4f";
const greenInCss = "rgb(11, 110, 79)";
// The logo is a PNG of 192 × 192 pixels.
test.use({ siteSettings: { SITE_COLOUR: green, SITE_LOGO: "public/icon-192.png" } });

test("a colour of the firm's own is that of links, mail and plain pages", async ({
  page,
  request,
  site,
}) => {
  await page.goto("/contact");
  const link = page.locator("main a[href^='mailto:']").first();
  await expect(link).toHaveCSS("color", greenInCss);
  // By the router, to a page with styles of its own.
  await page.getByRole("link", { name: "Privacy Policy" }).last().click();
  await expect(link).toHaveCSS("color", greenInCss);

  const email = newAddress();
  await page.goto("/newsletter");
  const form = page.locator(".join-band form");
  await form.getByLabel("Email address").fill(email);
  await form.getByRole("button").click();
  const { html = "" } = await site.mailTo(email);
  expect(html).toContain(`background-color:${green}`);

  const unreadable = await request.post("/contact", {
    headers: { "Content-Type": "multipart/form-data" },
    data: "nothing",
  });
  expect(unreadable.status()).toBe(400);
  for (const made of [html, await unreadable.text()]) {
    expect(made).toContain(green);
    expect(made).not.toMatch(/#1f4fd8/i);
  }
});

test("a logo of the firm's own replaces ours in the bar, icons and data", async ({
  page,
  request,
}) => {
  await page.goto("/");
  const logo = page.locator(".site-header .site-name img");
  await expect(logo).toHaveJSProperty("naturalWidth", 192);
  const icons = page.locator('head link[rel~="icon"], head link[rel="apple-touch-icon"]');
  for (const icon of await icons.all()) await expect(icon).toHaveAttribute("href", "/logo.png");
  const data = await page.locator('script[type="application/ld+json"]').allTextContents();
  expect(data.join()).toMatch(/"logo":"[^"]+\/logo\.png"/);
  const manifest = await (await request.get("/manifest.webmanifest")).json();
  expect(manifest.icons).toEqual([{ src: "/logo.png", sizes: "any" }]);
});
