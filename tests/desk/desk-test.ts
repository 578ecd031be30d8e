import type { ChildProcess } from "node:child_process";
import path from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { endProcess } from "../end-process.ts";
import { freePort } from "../free-port.ts";
import {
  bareEnvironment,
  type SiteServer,
  type SiteServerSettings,
  sendingSettings,
} from "../site-server.ts";
import { test as base, expect } from "../site-test.ts";
import { startProgram } from "../start-program.ts";

export { expect };

export type DeskServer = Awaited<ReturnType<typeof startDesk>>;

/**
 * The desk beside the test's own site, on the same data and mail server. The tests of a worker share it as they share the
 * site, and `page` comes in by its session: `page.goto("/issues")` asks the desk. None of its fixtures is a worker's, so
 * that these tests run in the workers of all others.
 */
export const test = base.extend<{ isFromAnywhere: boolean; desk: DeskServer }>({
  isFromAnywhere: [false, { option: true }],
  desk: [
    async ({ site, siteSettings: settings, isFromAnywhere }, use) => {
      const desks = isFromAnywhere ? desksFromAnywhere : desksHere;
      const desk = desks.get(site) ?? (await startDesk(site, { isFromAnywhere, settings }));
      desks.set(site, desk);
      await use(desk);
    },
    { timeout: 120_000 },
  ],
  baseURL: async ({ desk }, use) => use(desk.url),
  page: async ({ page, context, desk }, use) => {
    await context.addCookies([await desk.session()]);
    await use(page);
    // Before the desk ends, so that nothing is fetched from one that has.
    await page.goto("about:blank");
  },
});

/** Presses the first button of each question of the desk's, as it opens. */
export async function sayYes(page: Page): Promise<void> {
  const press = () => {
    const { showModal } = HTMLDialogElement.prototype;
    HTMLDialogElement.prototype.showModal = function () {
      showModal.call(this);
      this.querySelector("button")?.click();
    };
  };
  await page.addInitScript(press);
  await page.evaluate(press);
}

/** Waits until a draft is saved as it was just written: its status hears of that in a task of its own. */
export async function untilSaved(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  await expect(page.getByRole("status").first()).toHaveText(/^Saved/);
}

/** Begins a draft, and resolves with its address once the editor has taken the place of the text field. */
export async function startDraft(page: Page, deskUrl = ""): Promise<string> {
  await page.goto(`${deskUrl}/issues`);
  await page.getByRole("button", { name: "Write an issue" }).click();
  await page.waitForURL(/drafts\/\d+$/);
  await expect(page.locator("div[role=textbox]")).toBeVisible();
  return page.url();
}

const desksHere = new WeakMap<SiteServer, DeskServer>();
const desksFromAnywhere = new WeakMap<SiteServer, DeskServer>();

const passingClock = path.join(import.meta.dirname, "../passing-clock.ts");

/** A desk that ends with its site. With `isFromAnywhere`, it is at an address of its own, by passkey. */
export async function startDesk(
  site: SiteServer,
  {
    isFromAnywhere = false,
    settings = {},
  }: { isFromAnywhere?: boolean; settings?: SiteServerSettings } = {},
) {
  const port = await freePort();
  const url = `http://${isFromAnywhere ? "localhost" : "127.0.0.1"}:${port}`;
  const { dataDir, databaseUrl } = site.database;
  let link = "";
  let session = "";
  let started: ChildProcess;

  async function start(aheadMs = 0) {
    session = "";
    const env = {
      ...bareEnvironment,
      TEST_CLOCK_AHEAD_MS: String(aheadMs),
      NODE_ENV: "production",
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl ?? "",
      SMTP_URL: site.mailServer.url,
      ...sendingSettings,
      ...settings,
      SITE_URL: site.url,
      PORT: new URL(site.url).port,
      DESK_PORT: String(port),
      ...(isFromAnywhere && { DESK_ADDRESS: url }),
    };
    const desk = await startProgram(
      ["--import", passingClock, "desk/start.mjs"],
      env,
      isFromAnywhere ? /http\S+(?=, by passkey)/ : /http\S+token=\S+(?=\s)/,
    );
    started = desk.child;
    link = desk.match;
  }

  const stop = () => endProcess(started);

  await start();
  site.beside.push({ stop });
  return {
    url,
    link: () => link,
    /** The cookie that its link was exchanged for, for every test until it is started again. */
    async session() {
      if (session === "") {
        // Not by the desk's own name, which Node doesn't know.
        const opened = await fetch(`${link}&here`);
        session = /^desk=([^;]+)/.exec(opened.headers.get("Set-Cookie") ?? "")?.[1] ?? "";
      }
      return { name: "desk", value: session, url };
    },
    /** A test that has opened the link itself leaves its session to those after it. */
    async leaveSession(context: BrowserContext) {
      session = (await context.cookies()).findLast(({ name }) => name === "desk")?.value ?? "";
    },
    /**
     * Ends the desk with a signal and starts it again, with its clock so far ahead. Resolves with its exit code. A page that
     * may still ask it something goes to about:blank first: a refused connection is a complaint in the console.
     */
    async restart(signal: NodeJS.Signals = "SIGKILL", aheadMs = 0) {
      const exitCode = await endProcess(started, signal);
      await start(aheadMs);
      return exitCode;
    },
  };
}
