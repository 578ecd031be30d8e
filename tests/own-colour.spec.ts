import { newAddress } from "./new-address.ts";
import { expect, test } from "./site-test.ts";

const green = "#0b6e4f";
const greenInCss = "rgb(11, 110, 79)";
const usual = /#1f4fd8|#ff6b1a/i;

test.use({ siteSettings: { SITE_COLOUR: green } });

test("links, marks and buttons have the firm's colour", async ({ page }) => {
  await page.goto("/contact");
  await expect(page.locator("main a[href^='mailto:']").first()).toHaveCSS("color", greenInCss);
  const button = page.getByRole("button", { name: "Send Message" });
  await expect(button).not.toHaveCSS("background-color", "rgb(255, 107, 26)");
  // By the router, to a page with styles of its own.
  await page.getByRole("link", { name: "Privacy Policy" }).last().click();
  await expect(page.locator("main a[href^='mailto:']").first()).toHaveCSS("color", greenInCss);
});

test("icons, shared pictures and plain pages follow it", async ({ request }) => {
  expect(await (await request.get("/favicon.svg")).text()).not.toMatch(usual);
  for (const path of ["/icon-512.png", "/share/home.png", "/favicon.ico"]) {
    const picture = await (await request.get(path)).body();
    expect(picture.subarray(1, 4).toString(), path).toBe("PNG");
    const at = picture.indexOf("PLTE");
    const palette = picture.subarray(at + 4, at + 4 + picture.readUInt32BE(at - 4)).toString("hex");
    expect(palette, path).not.toMatch(/1f4fd8|ff6b1a/);
  }
  const unreadable = await request.post("/contact", {
    headers: { "Content-Type": "multipart/form-data" },
    data: "nothing",
  });
  expect(unreadable.status()).toBe(400);
  expect(await unreadable.text()).toContain(green);
  expect(await unreadable.text()).not.toMatch(usual);
});

test("a mail has it", async ({ site, page }) => {
  const email = newAddress();
  await page.goto("/newsletter");
  const form = page.locator(".join-band form");
  await form.getByLabel("Email address").fill(email);
  await form.getByRole("button").click();
  const { html = "" } = await site.mailTo(email);
  expect(html).toContain(`background-color:${green}`);
  expect(html).not.toMatch(usual);
});
