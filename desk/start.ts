import { once } from "node:events";
import { createServer } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { torontoTime } from "#content/toronto-time.ts";
import { describeCauses, errorCode } from "#db/describe-causes.ts";
import { commandStatementTimeoutMs } from "#db/open-postgres.ts";
import { createImportWorker } from "#operator/import-list.ts";
import { openStore } from "#operator/open-store.ts";
import { watchSiteWords } from "#operator/site-words.ts";
import { stopListening } from "#server/listen.ts";
import { openBuiltSite } from "#server/start-server.ts";
import {
  type Config,
  loadEnvironment,
  projectRoot,
  readConfig,
  siteSettings,
} from "#settings/settings.ts";
import { createDeskApp } from "./app.ts";
import { createPreviews } from "./previews.ts";

/** EX_CONFIG of sysexits.h, as the site exits. */
const configExitCode = 78;

/** An upload of the largest list over a slow line; Node's other limits on slow clients stay. */
const requestTimeoutMs = 10 * 60_000;

/** Ctrl+C lets what was begun finish for so long. */
const stopDeadlineMs = 20_000;

/** Opens the desk with this process's settings, prints its link, and runs until it is told to stop. */
export async function startDesk(): Promise<void> {
  const environment = loadEnvironment();
  const read = readConfig(environment);
  if (!read.ok) {
    console.error(["The settings need mending first:", ...read.mistakes].join("\n  - "));
    process.exit(configExitCode);
  }
  const { config } = read;
  const settings = siteSettings(config);
  const [site, built, store] = await Promise.all([
    openBuiltSite(),
    openBuiltDesk(),
    openOwnStore(config),
  ]).catch((error) => {
    console.error(describeCauses(error));
    process.exit(1);
  });
  const words = store && watchSiteWords(store.db, settings, { leftOut: reportError });
  words?.start();
  const { newsletterWebhookUrl } = config;
  const imports = store && createImportWorker({ db: store.db, newsletterWebhookUrl, reportError });
  imports?.start();

  const { app, link } = createDeskApp({
    desk: {
      ...read,
      ...createPreviews({ site, settings, db: store?.db ?? null, reportError }),
      store,
      settings,
      environment,
      now: () => new Date(),
      wakeImports: () => imports?.wake(),
      reportError,
    },
    createPages: built.createDesk,
  });
  const server = createServer(
    { requestTimeout: requestTimeoutMs },
    getRequestListener(app.fetch, { hostname: `127.0.0.1:${config.deskPort}` }),
  );
  server.listen(config.deskPort, "127.0.0.1");
  await once(server, "listening").catch((error) => {
    console.error(describeListenFailure(error, config));
    process.exit(1);
  });
  // A mistake in one page must not close the others, which may hold unsaved words.
  process.on("unhandledRejection", reportError).on("uncaughtException", reportError);
  console.log(
    `${config.siteName}'s desk is open. This link works once, for twelve hours:\n\n  ${link}\n`,
  );
  if (!config.deskAddress && process.stdout.isTTY) void openInBrowser(link);
  console.log("Close it: Ctrl+C");

  async function stop(): Promise<void> {
    await stopListening(server, stopDeadlineMs);
    await Promise.all([words?.stop(), imports?.stop()]);
    await store?.close();
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      stop().then(
        () => process.exit(0),
        (error) => {
          reportError(error);
          process.exit(1);
        },
      );
    });
  }
}

function reportError(error: unknown): void {
  console.error(`${torontoTime(new Date())} Something failed:`, error);
}

async function openOwnStore(config: Config) {
  if (config.hostedBackend) return null;
  return await openStore(config, { statementMs: commandStatementTimeoutMs }).catch((error) => {
    throw new Error(`The database can't be opened: ${describeCauses(error)}`);
  });
}

async function openBuiltDesk(): Promise<typeof import("./desk.ts")> {
  const file = path.join(projectRoot, "build", "desk", "server", "index.js");
  return await import(pathToFileURL(file).href);
}

function describeListenFailure(error: unknown, { deskPort }: Config): string {
  if (errorCode(error) !== "EADDRINUSE") return describeCauses(error);
  return `Port ${deskPort} is taken, perhaps by a desk that is open already. Another: DESK_PORT=4478 npm run desk`;
}

/** Opens the link where the operator is; does nothing on a machine without a browser. */
async function openInBrowser(link: string): Promise<void> {
  const { spawn } = await import("node:child_process");
  const program = { darwin: "open", win32: "explorer" }[process.platform as string] ?? "xdg-open";
  spawn(program, [link], { stdio: "ignore", detached: true })
    .on("error", () => {})
    .unref();
}
