import { test as base, expect, type Page } from "@playwright/test";
import { type SiteServer, type SiteServerSettings, startSiteServer } from "./site-server.ts";

export { expect };

type TestFixtures = {
  /**
   * Says that the browser's console will hold an error or warning that matches, which would fail the test otherwise.
   * The test fails too where none comes.
   */
  expectConsole: (pattern: RegExp) => void;
  /**
   * The forms of a page with scripts see a visitor who has had it open for a minute, as people do; false for one who
   * sends a form at a program's speed, which is suspected of being one.
   */
  visitorTakesTime: boolean;
  /** What the console and the page's scripts complained of; a test needs `expectConsole` instead. */
  complaints: { seen: string[]; expected: RegExp[] };
};

type WorkerFixtures = {
  /** Settings of the site's server: `test.use({ siteSettings: { … } })` at the top of a spec file. */
  siteSettings: SiteServerSettings;
  /** The real server, shared by the tests of a worker that have the same settings. */
  site: SiteServer;
};

/** Playwright's test with the real site behind it: `page.goto("/")` asks the site's own server. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  siteSettings: [{}, { option: true, scope: "worker" }],
  site: [
    async ({ siteSettings }, use) => {
      const site = await startSiteServer(siteSettings);
      await use(site);
      await site.close();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
  complaints: async ({}, use) => use({ seen: [], expected: [] }),
  expectConsole: async ({ complaints }, use) => {
    await use((pattern) => complaints.expected.push(pattern));
  },
  visitorTakesTime: [true, { option: true }],
  context: async ({ context, complaints, visitorTakesTime }, use) => {
    context.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) {
        complaints.seen.push(`${message.type()}: ${message.text()} (${message.location().url})`);
      }
    });
    context.on("weberror", (error) => complaints.seen.push(`thrown: ${error.error().message}`));
    if (visitorTakesTime) await context.addInitScript(openForAMinute);
    await use(context);
    const { seen, expected } = complaints;
    const unexpected = seen.filter((line) => !expected.some((pattern) => pattern.test(line)));
    const missing = expected.filter((pattern) => !seen.some((line) => pattern.test(line)));
    expect(unexpected, "complaints in the browser's console").toEqual([]);
    expect(missing, "complaints that were expected and didn't come").toEqual([]);
  },
  page: async ({ page, javaScriptEnabled }, use) => {
    if (javaScriptEnabled !== false) waitForScripts(page);
    await use(page);
  },
});

/** For a test that holds the scripts back, or blocks them: as long as it has to wait for nothing. */
const scriptsTimeoutMs = 2_000;

/**
 * A page's scripts are asked for after it has been painted, so the browser's load event says nothing of them. Tests
 * that want to be faster than the scripts hold them back.
 */
function waitForScripts(page: Page): void {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  page.goto = async (...parameters) => afterScripts(page, await goto(...parameters));
  page.reload = async (...parameters) => afterScripts(page, await reload(...parameters));
}

async function afterScripts<Answer>(page: Page, answer: Answer): Promise<Answer> {
  const areUp = () => {
    const toggle = document.querySelector(".menu-toggle");
    return !toggle || toggle.hasAttribute("aria-expanded");
  };
  await page.waitForFunction(areUp, undefined, { timeout: scriptsTimeoutMs }).catch(() => {});
  return answer;
}

/** Runs in the page: it was opened a minute before it was. */
function openForAMinute() {
  const sinceOpened = performance.now.bind(performance);
  performance.now = () => sinceOpened() + 60_000;
}
