import { expect, test } from "./site-test.ts";

// A PNG of 192 × 192 pixels.
test.use({ siteSettings: { SITE_LOGO: "public/icon-192.png" } });

test("the firm's logo is in the bar, the icons and the data for search engines", async ({
  page,
  request,
}) => {
  await page.goto("/");
  const logo = page.locator(".site-header .site-name img");
  await expect(logo).toBeVisible();
  expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(192);
  const icons = page.locator('head link[rel~="icon"], head link[rel="apple-touch-icon"]');
  for (const icon of await icons.all()) await expect(icon).toHaveAttribute("href", "/logo.png");
  const data = await page.locator('script[type="application/ld+json"]').allTextContents();
  expect(data.join()).toMatch(/"logo":"[^"]+\/logo\.png"/);
  const manifest = await (await request.get("/manifest.webmanifest")).json();
  expect(manifest.icons).toEqual([{ src: "/logo.png", sizes: "any" }]);
  const own = await (await request.get("/logo.png")).body();
  expect(await (await request.get("/favicon.ico")).body()).toEqual(own);
  expect((await request.get("/favicon.svg")).status()).toBe(404);
});

test("pictures of shared links lose the site's mark and stay whole", async ({ page, site }) => {
  await page.goto("/contact");
  const colours = await page.evaluate(async (address) => {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = picture.width;
    canvas.height = picture.height;
    const drawing = canvas.getContext("2d", { willReadFrequently: true });
    drawing?.drawImage(picture, 0, 0);
    const at = (x: number, y: number) =>
      [...(drawing?.getImageData(x, y, 1, 1).data ?? [])].slice(0, 3).join();
    return {
      size: `${picture.width} × ${picture.height}`,
      mark: at(540, 490),
      sheet: at(1100, 480),
    };
  }, `${site.url}/share/contact.png`);
  expect(colours).toEqual({ size: "1200 × 630", mark: "250,252,246", sheet: "250,252,246" });
});
