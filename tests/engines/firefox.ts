import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { patienceMs } from "../patience.ts";
import { scriptsAreUp } from "../scripts-are-up.ts";
import { middleOf, type Tab, type TabOptions, until } from "./tab.ts";

type Violating = Window & { violations?: string[] };

/**
 * Firefox over WebDriver BiDi, which it speaks by itself. By Puppeteer, because Playwright drives only a Firefox of its
 * own making or one newer than the extended support release.
 */
export async function openFirefox(path: string, { scripts = true }: TabOptions): Promise<Tab> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: path,
    timeout: patienceMs,
    extraPrefsFirefox: {
      "javascript.enabled": scripts,
      "ui.prefersReducedMotion": 1,
      // As on a phone: a bar beside the page would make it narrower than the window.
      "ui.useOverlayScrollbars": 1,
      // The page's own addresses are all on this machine, and nothing else is to be asked for.
      "network.captive-portal-service.enabled": false,
      "network.connectivity-service.enabled": false,
    },
  });
  const [page = await browser.newPage()] = await browser.pages();
  return tabOf(browser, page, scripts);
}

async function tabOf(browser: Browser, page: Page, scripts: boolean): Promise<Tab> {
  const seen: string[] = [];
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) seen.push(message.text());
  });
  page.on("pageerror", (error) => seen.push(`thrown: ${error}`));
  // The protocol doesn't report policy violations; only the page hears of them.
  if (scripts) await page.evaluateOnNewDocument(noteViolations);
  const run: Tab["run"] = (script, ...parameters) =>
    page.evaluate(script as never, ...parameters) as never;
  return {
    async open(address) {
      await page.goto(address, { waitUntil: "load", timeout: patienceMs });
      if (scripts) await page.waitForFunction(scriptsAreUp, { timeout: patienceMs });
    },
    run,
    inject: async (source) => void (await page.evaluate(source)),
    async resize(width, height = 900) {
      await page.setViewport({ width, height });
      // The page hears of its new size from another process, after the browser has answered.
      const isWide = (wanted: number) => window.innerWidth === wanted;
      if (!(await until(() => run(isWide, width)))) throw new Error(`No window of ${width} px.`);
    },
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    click: async (selector) => {
      const { x, y } = await middleOf(run, selector);
      await page.mouse.click(x, y);
    },
    screenshot: async () => Buffer.from(await page.screenshot({ type: "png", fullPage: true })),
    async complaints() {
      const violations = scripts
        ? await page.evaluate(() => (window as Violating).violations ?? [])
        : [];
      return [...seen, ...violations];
    },
    close: () => browser.close(),
  };
}

/** Runs in the page before anything of its own does. */
function noteViolations() {
  const violations: string[] = [];
  (window as Violating).violations = violations;
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    violations.push(`the policy's ${effectiveDirective} stops ${blockedURI}`);
  });
}
