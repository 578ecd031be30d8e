import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { getRequestListener } from "@hono/node-server";
import type { Archive } from "#app/ports.ts";
import type { SiteSettings } from "#content/site-settings.ts";
import { torontoTime } from "#content/toronto-time.ts";
import { describeCauses, errorCode } from "#db/describe-causes.ts";
import { commandStatementTimeoutMs } from "#db/open-postgres.ts";
import type { Db } from "#db/tables.ts";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { createArchive } from "#newsletter/issues/archive.ts";
import { openStore } from "#newsletter/open-store.ts";
import { ownStyles } from "#server/document.ts";
import { createHealth } from "#server/health/examine.ts";
import { stopListening } from "#server/listen.ts";
import { openBuiltSite, type SiteSource } from "#server/start-server.ts";
import { readOwnersSettings, watchOwnersSettings } from "#settings/owner-settings.ts";
import {
  type Config,
  describeMistake,
  loadEnvironment,
  projectRoot,
  readConfig,
  siteSettings,
  wrongSettingsExitCode,
} from "#settings/settings.ts";
import { watchSiteWords } from "#settings/site-words.ts";
import { createDeskApp } from "./app.ts";
import type { Desk, PreviewedIssue } from "./desk-context.ts";

/** An upload of the largest list over a slow line; Node's other limits on slow clients stay. */
const requestTimeoutMs = 10 * 60_000;

const stopDeadlineMs = 20_000;

/** Opens the desk with this process's settings, prints its link, and runs until it is told to stop. */
export async function startDesk(): Promise<void> {
  const environment = loadEnvironment();
  const read = readConfig(environment);
  if (!read.ok) {
    const mistakes = read.mistakes.map(describeMistake);
    console.error(["The settings need mending first:", ...mistakes].join("\n  - "));
    process.exit(wrongSettingsExitCode);
  }
  const { config } = read;
  const builtDesk = path.join(projectRoot, "build", "desk", "server", "index.js");
  const [site, built, store] = await Promise.all([
    openBuiltSite(),
    import(pathToFileURL(builtDesk).href) as Promise<typeof import("./desk.ts")>,
    openStore(config, { statementMs: commandStatementTimeoutMs }),
  ]).catch((error) => {
    console.error(describeCauses(error));
    process.exit(1);
  });
  const set = await readOwnersSettings(store.db, environment);
  Object.assign(config, set.config);
  const settings = siteSettings(config);
  const kept = { ...set, config, settings };
  const owners = watchOwnersSettings(store.db, environment, kept, {
    changed: () => Object.assign(desk, { unset: kept.unset, warnings: kept.warnings }),
    ...lookReport("The settings"),
  });
  owners.start();
  const words = watchSiteWords(store.db, settings, lookReport("The site's words"));
  words.start();

  const desk: Desk = {
    ...kept,
    ...createPreviews(site, settings, store.db),
    store,
    environment,
    reportError,
    now: () => new Date(),
    lookAround: createHealth(),
    lookAtSettings: () => owners.look(),
  };
  const ownName = await readOwnName(config);
  const { app, link } = createDeskApp({ ownName, desk, createPages: built.createDesk });
  const server = createServer(
    { requestTimeout: requestTimeoutMs },
    getRequestListener(app.fetch, { hostname: `127.0.0.1:${config.deskPort}` }),
  );
  // A container's proxy is another host.
  server.listen(config.deskPort, (config.deskAddress && config.host) ?? "127.0.0.1");
  await once(server, "listening").catch((error) => {
    const isTaken = errorCode(error) === "EADDRINUSE";
    console.error(
      isTaken
        ? `Port ${config.deskPort} is taken, perhaps by a desk that is open already. Another: DESK_PORT=4478 npm run desk`
        : describeCauses(error),
    );
    process.exit(1);
  });
  // A mistake in one page must not close the others, which may hold unsaved words.
  process.on("unhandledRejection", reportError).on("uncaughtException", reportError);
  console.log(
    link === null
      ? `${config.siteName}'s desk is open at ${config.deskAddress}, by passkey. Somebody new: npm run site -- desk invite "THEIR NAME"`
      : `${config.siteName}'s desk is open, by this link once and for twelve hours: ${link}`,
  );
  const both = process.argv.includes("--beside-the-site");
  if (process.stdout.isTTY) {
    console.log(`Closing this window, or Ctrl+C, ends ${both ? "both" : "it"}.`);
  }

  async function stop(): Promise<void> {
    await stopListening(server, stopDeadlineMs);
    await Promise.all([words.stop(), owners.stop()]);
    await store.close();
  }
  let isStopping = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    // Ctrl+C arrives twice, from the terminal and from npm.
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
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

function lookReport(what: string) {
  return {
    failed: (error: unknown) =>
      reportError(new Error(`${what} can't be read, and stay as they were`, { cause: error })),
  };
}

/**
 * A host's name below `localhost`, which browsers lead to this machine. It stays the same, so that what a window keeps of
 * an unsaved text is found again.
 */
async function readOwnName({ dataDir }: Config): Promise<string> {
  const file = path.join(dataDir, "desk-name");
  const known = await readFile(file, "utf8").catch(() => "");
  if (/^desk-[0-9a-f]{12}\.localhost$/.test(known)) return known;
  const name = `desk-${randomBytes(6).toString("hex")}.localhost`;
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, name, { mode: 0o600 }).catch(reportError);
  return name;
}

const draftIssueId = 2_147_483_647;

/** Their policy lets none run; a browser would log each as refused. */
const scripts = /<script\b[^>]*>[\s\S]*?<\/script>|<link[^>]* rel="modulepreload"[^>]*>/g;

function createPreviews(
  site: SiteSource,
  settings: SiteSettings,
  db: Db,
): Pick<Desk, "makeIssuePage" | "makeSitePage"> {
  const archive = createArchive(db);

  async function makePage(address: string, words: SiteSettings["words"], shown: Archive) {
    const services = { archive: shown, formsFor: () => ({}) as never, reportError };
    const page = site.createSite(
      { ...services, settings: { ...settings, words } },
      { isPreview: true },
    );
    const origin = { clientAddress: null, requestId: "desk", nonce: "" };
    const made = await page(new Request(settings.url + address), origin);
    const styles = `<style>${ownStyles(site.styles, settings)}</style></head>`;
    return (await made.text()).replaceAll(scripts, "").replace("</head>", () => styles);
  }

  return {
    async makeIssuePage({ id, title, publishDate, html }: PreviewedIssue): Promise<string> {
      const heads = await archive.heads();
      const position = id === null ? 0 : heads.findIndex((head) => head.id === id);
      const shownId = id ?? draftIssueId;
      const number = heads[position]?.id === id ? heads[position].number : heads.length + 1;
      const head = { id: shownId, number, title: title.trim() || `Issue #${number}`, publishDate };
      return await makePage(`/newsletter/${shownId}`, settings.words, {
        ...archive,
        heads: async () => [head, ...heads.filter((other) => other.id !== shownId)],
        issue: async () => ({
          ...head,
          ...prepareIssueBody(html),
          card: null,
          older: (id === null ? heads[0] : heads[position + 1]) ?? null,
          newer: null,
        }),
      });
    },
    makeSitePage: (address, words) => makePage(address, words, archive),
  };
}
