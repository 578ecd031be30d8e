// Runs each of five flows once and finds, by V8's own counts, which files decide anything in it. A file is counted if one
// of its functions that branches has run: with an `if`, `switch`, loop, ternary, `&&`, `||`, `??` or `?.` of its own. Not
// counted are words (content/), components, which decide how something is drawn, and what only a start runs: reading the
// settings and opening the database. The site is loaded file by file, and not from its build.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { RouterContextProvider } from "react-router";
import type * as App from "#app/site.ts";
import type * as DeskContext from "#desk/desk-context.ts";
import type * as IssuePage from "#desk/pages/issue.tsx";

const projectRoot = path.join(import.meta.dirname, "..");
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Debugger.enable");
// Before any module of ours is loaded.
await session.post("Profiler.startPreciseCoverage", { callCount: true });

const { createServer, isRunnableDevEnvironment, parseAst } = await import("vite");
const { pino } = await import("pino");
const { createSendWorker } = await import("#newsletter/sends/send-worker.ts");
const { createMailers } = await import("#mail/create-mailer.ts");
const { openStore } = await import("#newsletter/open-store.ts");
const { createBackendServices } = await import("#server/backend-services.ts");
const { createHttp, requestListener } = await import("#server/http.ts");
const { createHttpServer, listen } = await import("#server/listen.ts");
const { readConfig, siteSettings } = await import("#settings/settings.ts");
const { startMailServer } = await import("#tests/mail-server.ts");
const { sendingEnvironment } = await import("#tests/sends/sending-environment.ts");
const { addSubscribers } = await import("#tests/sends/subscribers.ts");

/** The functions of ours that branch and ran: the file of each by its place. */
type Ran = Map<string, string>;

/** Runs the flows on SQLite and returns the files of each. Throws if a flow doesn't do what it should. */
export async function measureFlows() {
  const folder = mkdtempSync(path.join(tmpdir(), "chalkline-flows-"));
  mkdirSync(path.join(folder, "client"));
  const mailServer = await startMailServer();
  const environment = {
    PORT: "0",
    HOST: "127.0.0.1",
    DATA_DIR: path.join(folder, "data"),
    ...sendingEnvironment,
    SMTP_URL: mailServer.url,
    CONTACT_TO: "owner@chalkline.example",
  };
  const read = readConfig(environment);
  assert(read.ok);
  const { config } = read;
  await (await openStore(config)).close();
  // Not the first start, which also prepares the issues.
  await takeRan();
  readConfig(environment);
  const database = await openStore(config);
  const settings = siteSettings(config);
  const start = await takeRan();

  const vite = await createServer({
    root: projectRoot,
    appType: "custom",
    logLevel: "error",
    server: { middlewareMode: true, ws: false, hmr: false, watch: null },
  });
  const { ssr } = vite.environments;
  assert(ssr && isRunnableDevEnvironment(ssr));
  const app: typeof App = await ssr.runner.import("/app/site.ts");
  const log = pino({ level: "silent" });
  const backend = createBackendServices({ config, settings, database, log });
  const { archive, formsFor } = backend;
  const reportError = (error: unknown) => assert.fail(String(error));
  const answer = createHttp({
    settings,
    site: app.createSite({ settings, archive, formsFor, reportError }),
    backend: backend.backend,
    isReady: backend.isReady,
    archiveVersion: archive.version,
    log,
    clientDirectory: path.join(folder, "client"),
    styles: app.styles,
    trustedProxies: config.trustedProxies,
  });
  const server = createHttpServer();
  server.on("request", requestListener(answer, { settings, log }));
  const port = await listen(server, config);
  async function ask(target: string, init?: RequestInit) {
    const response = await fetch(`http://127.0.0.1:${port}${target}`, init);
    assert.equal(response.status, 200);
    return await response.text();
  }

  const context = new RouterContextProvider();
  const worker = createSendWorker({
    ...{ database, log, site: settings, config },
    mailer: createMailers(config, settings.url).newsletter,
  });
  /** Presses "Send" at the desk, and waits for the mails. */
  async function sendIssue() {
    const form = new FormData();
    form.set("intent", "publish");
    const request = new Request("http://desk.example/issues/1", { method: "POST", body: form });
    const pressed = await issuePage.action({ request, params: { id: "1" }, context });
    assert(pressed instanceof Response, JSON.stringify(pressed));
    worker.start();
    for (let waits = 0; mailServer.received.length < 2; waits += 1) {
      assert(waits < 400, "The issue was not sent.");
      await delay(50);
    }
    await worker.stop({ deadlineMs: 1_000 });
  }

  // Waits until the search's index is made.
  await ask("/search?q=quotes");
  await addSubscribers(database.db, 2);
  const { deskContext }: typeof DeskContext = await ssr.runner.import("/desk/desk-context.ts");
  const issuePage: typeof IssuePage = await ssr.runner.import("/desk/pages/issue.tsx");
  const desk = { config, settings, store: database, now: () => new Date() };
  const visitor = { id: 1, name: "Ann", isFirst: true, session: null };
  context.set(deskContext, { ...desk, visitor } as never);
  const page = await ranIn(async () => assert.match(await ask("/"), /<h1/));
  const signUp = await ranIn(async () => {
    const body = JSON.stringify({ email: "ann@people.example" });
    const headers = { "Content-Type": "application/json" };
    const said = await ask("/functions/v1/newsletter-signup", { method: "POST", headers, body });
    assert.match(said, /"success":true/);
  });
  const search = await ranIn(async () => assert.match(await ask("/search?q=quotes"), /<mark/));
  const rest = await ranIn(async () =>
    assert.match(await ask("/rest/v1/final_newsletters?select=id,title&order=id.desc"), /"title"/),
  );
  const send = await ranIn(sendIssue);

  await Promise.all([vite.close(), mailServer.close()]);
  rmSync(folder, { recursive: true, force: true });
  for (const place of [page, signUp, search, rest].flatMap((ran) => [...ran.keys()]))
    start.delete(place);
  const filesOf = (ran: Ran, without: string[] = []) => {
    const files = [...ran].filter(([place]) => !start.has(place)).map(([, file]) => file);
    return [...new Set(files).difference(new Set(without))].sort();
  };
  const pageFiles = filesOf(page);
  const searchFiles = filesOf(search, pageFiles);
  return [
    { name: "A page that isn't cached", target: 13, files: pageFiles },
    { name: "A sign-up, to its commit", target: 10, files: filesOf(signUp) },
    { name: "Sending an issue", target: 15, files: filesOf(send) },
    { name: "A search, beyond the page around it", target: 5, files: searchFiles },
    { name: "A REST query", target: 5, files: filesOf(rest) },
  ];
}

async function ranIn(flow: () => Promise<unknown>): Promise<Ran> {
  await takeRan();
  await flow();
  return await takeRan();
}

/** Returns what has run since the last call. */
async function takeRan(): Promise<Ran> {
  const ran: Ran = new Map();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  for (const { scriptId, url, functions } of result) {
    const full = url.startsWith("file:") ? fileURLToPath(url) : url.replace(/\?.*/, "");
    const file = path.relative(projectRoot, full).replaceAll(path.sep, "/");
    if (!path.isAbsolute(full) || /^(?:\.\.|node_modules|content|scripts|tests)\//.test(file))
      continue;
    // Node and Vite have taken the types out, and Vite the markup.
    const { scriptSource } = await session.post("Debugger.getScriptSource", { scriptId });
    const own = functionsBelow(parseAst(scriptSource), file.endsWith(".tsx"));
    for (const { ranges } of functions) {
      const [{ startOffset, endOffset, count } = { startOffset: 0, endOffset: 0, count: 0 }] =
        ranges;
      // V8 begins a method with its name, the parser with its parameters: of those that end together, the nearest is meant.
      const [nearest] = own
        .filter(({ end }) => end === endOffset)
        .sort((a, b) => Math.abs(a.start - startOffset) - Math.abs(b.start - startOffset));
      if (count > 0 && nearest?.branches && !nearest.isComponent)
        ran.set(`${file} ${startOffset}`, file);
    }
  }
  return ran;
}

const branching =
  /^(?:If|Switch|For|ForIn|ForOf|While|DoWhile)Statement$|^(?:Conditional|Logical|Chain)Expression$/;

type Syntax = { type: string; start: number; end: number; id?: { name?: string } | null };
type OwnFunction = { start: number; end: number; branches: boolean; isComponent: boolean };

/** The functions below a node, which is in `outer`. A component's name begins with a capital. */
function functionsBelow(node: Syntax, hasComponents: boolean, outer?: OwnFunction): OwnFunction[] {
  const { type, start, end, id } = node;
  let inner = outer;
  if (/Function/.test(type)) {
    const isComponent = outer?.isComponent || (hasComponents && /^[A-Z]/.test(id?.name ?? ""));
    inner = { start, end, branches: false, isComponent };
  } else if (inner && branching.test(type)) inner.branches = true;
  const below = Object.values(node)
    .flat()
    .filter((part) => part && typeof part === "object" && "type" in part)
    .flatMap((part) => functionsBelow(part as Syntax, hasComponents, inner));
  return inner && inner !== outer ? [inner, ...below] : below;
}
