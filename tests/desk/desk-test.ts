import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
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

type DeskServer = Awaited<ReturnType<typeof startDesk>>;

type WorkerFixtures = { deskBeside: (settings: SiteServerSettings) => Promise<DeskServer> };

/**
 * The desk beside the test's own site, on the same data and mail server. The tests of a worker share it as they share the
 * site, and `page` comes in by its session, at a page that is quick to make.
 */
export const test = base.extend<{ desk: DeskServer }, WorkerFixtures>({
  deskBeside: [
    async ({ siteWith }, use) => {
      const desks = new Map<SiteServer, DeskServer>();
      await use(async (settings) => {
        const site = await siteWith(settings);
        const desk = desks.get(site) ?? (await startDesk(site));
        desks.set(site, desk);
        return desk;
      });
      for (const desk of desks.values()) await desk.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  desk: [
    async ({ siteSettings, deskBeside }, use) => use(await deskBeside(siteSettings)),
    { timeout: 60_000 },
  ],
  page: async ({ page, context, desk }, use) => {
    await context.addCookies([await desk.session()]);
    await page.goto(`${desk.url}/messages`);
    await use(page);
    // Before the desk ends, so that nothing is fetched from one that has.
    await page.goto("about:blank");
  },
});

const passingClock = path.join(import.meta.dirname, "../passing-clock.ts");

async function startDesk(site: SiteServer) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { dataDir, databaseUrl } = site.database;
  let link = "";
  let session = "";
  let started: ChildProcess;

  async function start() {
    session = "";
    const env = {
      ...bareEnvironment,
      NODE_ENV: "production",
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl ?? "",
      SMTP_URL: site.mailServer.url,
      ...sendingSettings,
      SITE_URL: site.url,
      PORT: new URL(site.url).port,
      DESK_PORT: String(port),
    };
    const desk = await startProgram(
      ["--import", passingClock, "desk/start.mjs"],
      env,
      /http\S+token=\S+(?=\s)/,
    );
    started = desk.child;
    link = desk.match;
  }

  await start();
  return {
    url,
    link: () => link,
    /** The cookie that its link was exchanged for, for every test until it is started again. */
    async session() {
      if (session === "") {
        const opened = await fetch(link);
        session = /^desk=([^;]+)/.exec(opened.headers.get("Set-Cookie") ?? "")?.[1] ?? "";
      }
      return { name: "desk", value: session, url };
    },
    stop: () => endProcess(started),
    /** Ends the desk with a signal, by default at once, and starts it again. Resolves with its exit code. */
    async restart(signal: NodeJS.Signals = "SIGKILL") {
      const exitCode = await endProcess(started, signal);
      await start();
      return exitCode;
    },
    /** Ends the desk and starts it again with its clock so far ahead. */
    async restartLater(passMs: number) {
      await endProcess(started);
      await start();
      const passed = once(started, "message");
      started.send({ passMs });
      await passed;
    },
  };
}
