import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Email } from "postal-mime";
import type { DatabaseSettings } from "#db/open-database.ts";
import { type SettingName, settingNames } from "#settings/setting-declarations.ts";
import {
  createSiteDatabase,
  type DatabaseKind,
  databaseOfRun,
} from "./databases/site-databases.ts";
import { endProcess } from "./end-process.ts";
import { freePort } from "./free-port.ts";
import { startMailServer } from "./mail-server.ts";
import { makeMemoryFolder } from "./memory-folder.ts";
import { patienceMs } from "./patience.ts";
import { runCommand } from "./site-commands.ts";
import { startProgram } from "./start-program.ts";
import { startWebhookReceiver } from "./webhook-receiver.ts";

const passingClock = path.join(import.meta.dirname, "passing-clock.ts");
/** The server prints this line once it accepts requests. */
export const siteAddress = /is running at (http:\S+?:\d+)/;
const pollMs = 50;

export const testWebhookSecret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/**
 * The server gets the programs' and the compiled modules' folders of this process's environment and no setting: nothing
 * of a developer's own environment or .env may change what is tested.
 */
export const bareEnvironment: Record<string, string> = {
  PATH: process.env.PATH ?? "",
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
  ...Object.fromEntries(settingNames.map((name) => [name, ""])),
};

/** No issue is sent without these. `SITE_URL` becomes the server's own address. */
export const sendingSettings: SiteServerSettings = {
  SITE_URL: "http://localhost",
  SITE_STREET: "1 Test Street",
  SITE_POSTAL_CODE: "M5V 2T6",
};

/** Settings that pages leave out when they are empty. */
const firmSettings = {
  SITE_PHONE: "+1 416 555 0143",
  SITE_STREET: "1 Test Street",
  SITE_POSTAL_CODE: "M5V 2T6",
  SITE_PROFILE_URL: "https://directory.example/firm",
} as const satisfies SiteServerSettings;

/** Settings over those of the tests; an empty text is not set. */
export type SiteServerSettings = Partial<Record<SettingName, string>>;

export type SiteServer = Awaited<ReturnType<typeof startSiteServer>>;

/**
 * Starts the real server with the production build, on a free port, with a database, a mail server and a webhook receiver
 * of its own.
 */
export async function startSiteServer(
  settings: SiteServerSettings = {},
  kind: DatabaseKind = databaseOfRun(),
) {
  const dataDir = await makeMemoryFolder("chalkline-site-");
  const hasOwn = kind === "postgres" && !settings.DATABASE_URL;
  const made = hasOwn ? await createSiteDatabase() : null;
  const mailServer = await startMailServer();
  const webhooks = await startWebhookReceiver();
  const env: Record<string, string> = {
    ...bareEnvironment,
    NODE_ENV: "production",
    PORT: "0",
    HOST: "127.0.0.1",
    DATA_DIR: dataDir,
    SMTP_URL: mailServer.url,
    NEWSLETTER_WEBHOOK_URL: webhooks.url,
    WEBHOOK_SECRET: testWebhookSecret,
    LOG_LEVEL: "warn",
    ...firmSettings,
    ...(made ? { DATABASE_URL: made.url } : {}),
    ...settings,
  };
  if (env.SITE_URL === sendingSettings.SITE_URL) {
    env.PORT = String(await freePort());
    env.SITE_URL += `:${env.PORT}`;
  }
  let output = "";
  let server: ChildProcess;
  let aheadMs = 0;

  async function start(): Promise<void> {
    aheadMs = 0;
    const words = ["--import", passingClock, "server/start.mjs"];
    const started = await startProgram(words, env, siteAddress, (text) => {
      output += text;
    });
    server = started.child;
    // Loopback by name, as the pages' own addresses have it.
    env.PORT = new URL(started.match).port;
    site.url = `http://localhost:${env.PORT}`;
  }

  /** Ends the server, by default in order, and gives its exit code; the data and both receivers stay. */
  const stop = (signal?: NodeJS.Signals) => endProcess(server, signal);

  /**
   * Runs an operator's command on this site's settings, beside the server, and gives what it prints. Rejects unless all is
   * well. It runs in the test's own process, since one of its own takes longer to start than most commands take.
   */
  async function command(...parameters: string[]) {
    const { exitCode, stdout, stderr } = await runCommand(parameters, { env });
    if (exitCode !== 0) throw new Error(`site ${parameters.join(" ")}:\n${stdout}${stderr}`);
    return stdout;
  }

  const mails = () => mailServer.received.map(({ email }) => email);
  /** Returns the first mail that meets the condition. Rejects where none comes. */
  async function mail(condition: (mail: Email) => boolean) {
    const deadline = performance.now() + patienceMs;
    while (performance.now() < deadline) {
      const found = mails().find(condition);
      if (found) return found;
      await delay(pollMs);
    }
    const subjects = mails().map(({ subject }) => subject);
    throw new Error(`No such mail came. Those that did: ${JSON.stringify(subjects)}\n${output}`);
  }

  const site = {
    url: "",
    dataDir,
    database: { dataDir, databaseUrl: env.DATABASE_URL || null } satisfies DatabaseSettings,
    mailServer,
    webhooks,
    /** Mails that have arrived so far, oldest first. */
    mails,
    mail,
    mailTo: (address: string) => mail(({ to }) => to?.[0]?.address === address),
    /** Waits for the first message of the contact form by a visitor, whom it is to be answered to. */
    messageFrom: (address: string) => mail(({ replyTo }) => replyTo?.[0]?.address === address),
    async publish({ title, html, date }: { title: string; html: string; date?: string }) {
      const file = path.join(dataDir, `issue-${crypto.randomUUID()}.html`);
      await writeFile(file, html);
      const dated = date ? ["--date", date] : [];
      const parameters = ["issues", "publish", file, "--title", title, ...dated, "--json"];
      return JSON.parse(await command(...parameters)) as { id: number };
    },
    command,
    /** Lets so much time pass for the server, without waiting for it. */
    async passTime(passMs: number) {
      const passed = once(server, "message");
      server.send({ passMs });
      const [{ passedMs }] = await passed;
      aheadMs = passedMs;
    },
    /** The server's time, in milliseconds since 1970. */
    now: () => Date.now() + aheadMs,
    output: () => output,
    stop,
    /** Starts the stopped server again, on the same address and data. */
    start,
    /** Other programs on its data, which end with it. */
    beside: [] as { stop(): Promise<unknown> }[],
    async restart() {
      await stop();
      await start();
    },
    async close() {
      await Promise.all([stop(), ...site.beside.map((program) => program.stop())]);
      await Promise.all([mailServer.close(), webhooks.close(), made?.remove()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  await start();
  return site;
}
