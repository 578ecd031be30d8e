import { test as base, expect, type Page } from "@playwright/test";
import { type DatabaseKind, databaseOfRun } from "./databases/site-databases.ts";
import { untilScriptsAreUp } from "./scripts-are-up.ts";
import { type SiteServer, type SiteServerSettings, startSiteServer } from "./site-server.ts";

export { expect };

type Complaints = { seen: string[]; expected: RegExp[] };

type TestFixtures = {
  /**
   * Says that the browser's console will hold an error or warning that matches, which would fail the test otherwise.
   * The test fails too where none comes.
   */
  expectConsole: (pattern: RegExp) => void;
  /**
   * For a test that goes from one page to the next, in a window that is dear to open: judges what was complained of until
   * now as the end of a test does, and begins anew. `where` names the page in the failure.
   */
  judgeComplaints: (where: string) => Promise<void>;
  /**
   * The forms of a page with scripts see a visitor who has had it open for a minute, as people do; false for one who
   * sends a form at a program's speed, which is suspected of being one.
   */
  visitorTakesTime: boolean;
  /** Complaints of the console and the page's scripts; a test needs `expectConsole` instead. */
  complaints: Complaints;
  siteSettings: SiteServerSettings;
  /** The real server, shared by the tests of a worker that have the same settings. */
  site: SiteServer;
};

type WorkerFixtures = {
  database: DatabaseKind;
  /** The same for hooks and fixtures that outlive a test. */
  siteWith: (settings: SiteServerSettings) => Promise<SiteServer>;
};

/** Longest that the server of one file may take to end and that of the next to start. */
const siteTimeoutMs = 120_000;

/** Playwright's test with the real site behind it: `page.goto("/")` asks the site's own server. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  // For a test and not for a worker, which would end with its browser wherever a file has settings of its own.
  siteSettings: [{}, { option: true }],
  database: [databaseOfRun(), { option: true, scope: "worker" }],
  siteWith: [
    async ({ database }, use) => {
      const sites = createSites(database);
      await use(sites.with);
      await sites.close();
    },
    { scope: "worker", timeout: siteTimeoutMs },
  ],
  site: [
    async ({ siteSettings, siteWith }, use) => use(await siteWith(siteSettings)),
    { timeout: siteTimeoutMs },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
  complaints: async ({}, use) => use({ seen: [], expected: [] }),
  expectConsole: async ({ complaints }, use) => {
    await use((pattern) => complaints.expected.push(pattern));
  },
  judgeComplaints: async ({ complaints }, use) => {
    await use(async (where) => {
      await judge(complaints, `${where}: `);
      complaints.seen.length = 0;
      complaints.expected.length = 0;
    });
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
    await judge(complaints);
  },
  page: async ({ page, javaScriptEnabled }, use) => {
    if (javaScriptEnabled !== false) waitForScripts(page);
    await use(page);
  },
});

/** They come a moment after what they are about. */
async function judge({ seen, expected }: Complaints, where = ""): Promise<void> {
  const missing = () => expected.filter((pattern) => !seen.some((line) => pattern.test(line)));
  await expect.poll(missing, `${where}complaints that were expected and didn't come`).toEqual([]);
  const unexpected = seen.filter((line) => !expected.some((pattern) => pattern.test(line)));
  expect.soft(unexpected, `${where}complaints in the browser's console`).toEqual([]);
}

/** The servers of a worker: the one without settings, which most files ask, and the last that had some. */
function createSites(database: DatabaseKind) {
  const plain = JSON.stringify({});
  const running = new Map<string, SiteServer>();

  async function closeAll(isOver: (settings: string) => boolean) {
    for (const [settings, site] of running) {
      if (!isOver(settings)) continue;
      running.delete(settings);
      await site.close();
    }
  }

  return {
    async with(settings: SiteServerSettings): Promise<SiteServer> {
      const wanted = JSON.stringify(settings);
      const found = running.get(wanted);
      if (found) return found;
      if (wanted !== plain) await closeAll((others) => others !== plain);
      const site = await startSiteServer(settings, database);
      running.set(wanted, site);
      return site;
    },
    close: () => closeAll(() => true),
  };
}

/**
 * A page is there once its scripts are up, for tests as for people. Not for a test that is faster than its scripts, holds
 * them back or blocks them: it goes with `waitUntil`, `commit` or `domcontentloaded`.
 */
export function waitForScripts(page: Page): Page {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (!/^(?:commit|dom)/.test(options?.waitUntil ?? "")) await untilScriptsAreUp(page);
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    await untilScriptsAreUp(page);
    return response;
  };
  return page;
}

/** Holds back what a page asks for under such an address, until what this gives is called. */
export async function holdRequests(page: Page, address: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Runs in the page: it was opened a minute before it was. */
function openForAMinute() {
  const sinceOpened = performance.now.bind(performance);
  performance.now = () => sinceOpened() + 60_000;
}
