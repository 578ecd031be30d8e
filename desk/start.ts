import { randomBytes } from "node:crypto";
import path from "node:path";
import { Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { runSite } from "#cli/run-site.ts";
import type { SiteIo } from "#cli/terminal.ts";
import type { Archive } from "#contracts/ports.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { describeCauses, errorCode } from "#db/describe-causes.ts";
import { commandStatementTimeoutMs } from "#db/open-postgres.ts";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { archiveOfDatabase, createArchive } from "#newsletter/archive.ts";
import { findPicture, readPictureBytes } from "#newsletter/pictures.ts";
import { createPreparedBodies } from "#newsletter/prepared-issues.ts";
import { type OpenStore, openStore } from "#operator/open-store.ts";
import { watchSiteWords } from "#operator/site-words.ts";
import { openBuiltSite } from "#server/start-server.ts";
import { loadEnvironment, projectRoot, readConfig, siteSettings } from "#settings/settings.ts";
import type { Desk, PreviewedIssue } from "./desk-context.ts";
import { createDoor } from "./door.ts";

/** A list of 100,000 subscribers with every column that a tool exports. */
const uploadMaxBytes = 64 * 1024 * 1024;

/** An id that no issue has, for one that isn't published. */
const draftIssueId = 2_147_483_647;

const environment = loadEnvironment();
const read = readConfig(environment);
if (!read.ok) {
  console.error(["The settings need mending first:", ...read.mistakes].join("\n  - "));
  process.exit(78);
}
const { config } = read;
const site = await openBuiltSite();
const settings = siteSettings(config);

let store: OpenStore | null = null;
try {
  store = config.hostedBackend
    ? null
    : await openStore(config, { statementMs: commandStatementTimeoutMs });
} catch (error) {
  console.error(`The database can't be opened: ${describeCauses(error)}`);
  process.exit(1);
}

const words = store && watchSiteWords(store.db, settings);
words?.start();

function reportError(error: unknown): void {
  console.error(error);
}

async function printed(words: string[], progress?: SiteIo["progress"]) {
  let text = "";
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const io = { stdin: process.stdin, stdout, stderr: stdout, environment, progress };
  return { exitCode: await runSite(words, io), text };
}

function runCommand(...words: string[]): ReturnType<Desk["runCommand"]> {
  return followCommand(undefined, ...words);
}

async function followCommand(
  ...[progress, ...words]: Parameters<Desk["followCommand"]>
): ReturnType<Desk["runCommand"]> {
  const { exitCode, text } = await printed([...words, "--json"], progress);
  const json = JSON.parse(text);
  return { exitCode, json, refusal: json.error?.message ?? null };
}

async function exportFile(...words: string[]): Promise<string> {
  const { exitCode, text } = await printed(words);
  if (exitCode !== 0) throw new Error(text);
  return text;
}

/** They would fill the console with refusals where nothing may run. */
const scripts = /<script\b[^>]*>[\s\S]*?<\/script>|<link[^>]* rel="modulepreload"[^>]*>/g;

/** Makes a page of the public site as HTML without scripts, with `changed` in place of what it would show. */
async function makePage(
  address: string,
  changed: { words: SiteSettings["words"]; archive: Archive },
): Promise<string> {
  const page = site.createSite({
    settings: { ...settings, words: changed.words },
    archive: changed.archive,
    formsFor: () => ({}) as never,
    reportError,
  });
  const origin = { clientAddress: null, requestId: "desk", hasMissingPage: false, nonce: "" };
  const made = await page(new Request(settings.url + address), origin);
  return (await made.text()).replaceAll(scripts, "");
}

function openArchive({ db }: OpenStore) {
  return createArchive(archiveOfDatabase(db), createPreparedBodies(db));
}

async function makeIssuePage({ id, title, publishDate, html }: PreviewedIssue): Promise<string> {
  if (!store) return "";
  const archive = openArchive(store);
  const heads = await archive.heads();
  const position = id === null ? 0 : heads.findIndex((head) => head.id === id);
  const shownId = id ?? draftIssueId;
  const number = heads[position]?.id === id ? heads[position].number : heads.length + 1;
  const head = { id: shownId, number, title: title.trim() || `Issue #${number}`, publishDate };
  return await makePage(`/newsletter/${shownId}`, {
    words: settings.words,
    archive: {
      ...archive,
      heads: async () => [head, ...heads.filter((other) => other.id !== shownId)],
      issue: async () => ({
        ...head,
        ...prepareIssueBody(html),
        older: (id === null ? heads[0] : heads[position + 1]) ?? null,
        newer: null,
      }),
    },
  });
}

async function makeSitePage(address: string, words: SiteSettings["words"]): Promise<string> {
  return store ? await makePage(address, { words, archive: openArchive(store) }) : "";
}

const folder = path.join(projectRoot, "build", "desk");
const built: typeof import("./desk.ts") = await import(
  pathToFileURL(path.join(folder, "server", "index.js")).href
);
const { deskPort: port, deskAddress } = config;
const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
if (deskAddress) hosts.push(new URL(deskAddress).host);
const now = () => new Date();
const pages = built.createDesk(
  {
    ...read,
    store,
    settings,
    environment,
    now,
    runCommand,
    followCommand,
    exportFile,
    makeIssuePage,
    makeSitePage,
    reportError,
  },
  hosts,
);
const door = createDoor({ hosts, address: deskAddress, now });

const app = new Hono()
  .use(async ({ res }, next) => {
    await next();
    res.headers.set("X-Content-Type-Options", "nosniff");
    res.headers.set("Referrer-Policy", "same-origin");
    res.headers.set("Cross-Origin-Opener-Policy", "same-origin");
    res.headers.set("Cross-Origin-Resource-Policy", "same-origin");
  })
  .use(door.guard)
  .use(
    "/desk/*",
    serveStatic({ root: path.join(folder, "client"), rewriteRequestPath: withoutDesk }),
  )
  .use(serveStatic({ root: path.join(projectRoot, "build", "client") }))
  .get("/pictures/:name", async (context) => {
    const picture = store && (await findPicture(store.db, context.req.path));
    if (!store || !picture) return context.notFound();
    const bytes = await readPictureBytes(store.db, picture.hash);
    return context.body(bytes, 200, { "Content-Type": picture.type });
  })
  .use(bodyLimit({ maxSize: uploadMaxBytes }))
  .all("*", async ({ req }) => {
    const nonce = randomBytes(16).toString("base64");
    const page = await pages(req.raw, nonce);
    const headers = new Headers(page.headers);
    headers.set("Cache-Control", "no-store");
    if (!headers.has("Content-Security-Policy")) {
      headers.set("Content-Security-Policy", policy(nonce));
    }
    return new Response(page.body, { status: page.status, headers });
  });

function withoutDesk(address: string): string {
  return address.replace(/^\/desk/, "");
}

/** Styles come from the editor too, which writes its own. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'self'",
    "base-uri 'none'",
  ].join("; ");
}

const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port }, () => {
  const link = `${deskAddress ?? `http://127.0.0.1:${port}`}/open?token=${door.token}`;
  console.log(
    `${config.siteName}'s desk is open. This link works once, for twelve hours:\n\n  ${link}\n`,
  );
  if (!deskAddress && process.stdout.isTTY) void openInBrowser(link);
  console.log("Close it: Ctrl+C");
});
server.on("error", (error) => {
  const isTaken = errorCode(error) === "EADDRINUSE";
  const advice = `Port ${port} is taken, perhaps by a desk that is open already. Another: DESK_PORT=4478 npm run desk`;
  console.error(isTaken ? advice : describeCauses(error));
  process.exit(1);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    server.close(async () => {
      await words?.stop();
      await store?.close();
      process.exit(0);
    });
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
}

/** Opens the link where the operator sits; a machine without a browser does nothing. */
async function openInBrowser(link: string): Promise<void> {
  const { spawn } = await import("node:child_process");
  const program = { darwin: "open", win32: "explorer" }[process.platform as string] ?? "xdg-open";
  spawn(program, [link], { stdio: "ignore", detached: true })
    .on("error", () => {})
    .unref();
}
