import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { freePort } from "../free-port.ts";
import { bareEnvironment, type SiteServer, type SiteServerSettings } from "../site-server.ts";
import { test as base, expect } from "../site-test.ts";

export { expect };

const projectRoot = path.join(import.meta.dirname, "..", "..");

export type DeskServer = {
  url: string;
  /** What the desk printed; it opens the desk once. */
  link(): string;
  /** Ends the desk at once and starts it again. */
  restart(): Promise<void>;
};

/** The desk beside the test's own site, on the same data and mail server; `page` has opened it by the printed link. */
export const test = base.extend<{ deskSettings: SiteServerSettings; desk: DeskServer }>({
  deskSettings: [{}, { option: true }],
  desk: async ({ site, deskSettings }, use) => {
    const desk = await startDesk(site, deskSettings);
    await use(desk);
    await desk.stop();
  },
  page: async ({ page, desk }, use) => {
    await page.goto(desk.link());
    await page.getByRole("heading", { name: "Today" }).waitFor();
    await use(page);
    // Before the desk ends, so that nothing is fetched from one that has.
    await page.goto("about:blank");
  },
});

async function startDesk(site: SiteServer, settings: SiteServerSettings) {
  const port = await freePort();
  const { dataDir, databaseUrl } = site.database;
  let printed = "";
  let started: ChildProcess;

  async function start() {
    printed = "";
    started = spawn(process.execPath, ["desk/start.ts"], {
      cwd: projectRoot,
      env: {
        ...bareEnvironment,
        NODE_ENV: "production",
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl ?? "",
        SMTP_URL: site.mailServer.url,
        SITE_URL: site.url,
        SITE_STREET: "1 Test Street",
        SITE_POSTAL_CODE: "M5V 2T6",
        PORT: new URL(site.url).port,
        DESK_PORT: String(port),
        ...settings,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    started.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
    await expect
      .poll(() => printed, { message: "the desk prints its link", timeout: 60_000 })
      .toContain("/open?token=");
  }

  async function stop() {
    if (started.exitCode !== null) return;
    const exited = once(started, "exit");
    started.kill("SIGTERM");
    await exited;
  }

  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    link: () => /http\S+token=\S+/.exec(printed)?.[0] ?? "",
    stop,
    async restart() {
      const exited = once(started, "exit");
      started.kill("SIGKILL");
      await exited;
      await start();
    },
  };
}
