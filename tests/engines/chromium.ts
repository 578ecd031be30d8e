import { chromium } from "@playwright/test";
import type { Tab, TabOptions } from "./tab.ts";

/** Chromium by Playwright, as the window that the other engines give: for what is done alike in all three. */
export async function openChromium(
  executablePath: string,
  { scripts = true }: TabOptions,
): Promise<Tab> {
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
  });
  const page = await browser.newPage({ reducedMotion: "reduce", javaScriptEnabled: scripts });
  const seen: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) seen.push(message.text());
  });
  page.on("pageerror", (error) => seen.push(`thrown: ${error}`));
  return {
    open: async (address) => void (await page.goto(address, { waitUntil: "networkidle" })),
    run: (script, ...parameters) =>
      page.evaluate(`(${script})(...${JSON.stringify(parameters)})`) as never,
    inject: async (source) => void (await page.evaluate(source)),
    resize: (width, height = 900) => page.setViewportSize({ width, height }),
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    click: (selector) => page.click(selector),
    screenshot: () => page.screenshot({ fullPage: true }),
    complaints: async () => seen,
    close: () => browser.close(),
  };
}
