// Runs each of five flows once and finds, by V8's own counts, which files decide anything in it. A file is counted if one
// of its functions that branches has run: with an `if`, `switch`, loop, ternary, `&&`, `||`, `??` or `?.` of its own. Not
// counted are words (content/), components, which decide how something is drawn, and what only a start runs: reading the
// settings and opening the database. The site is loaded file by file, and not from its build.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type * as App from "#app/site.ts";

const projectRoot = path.join(import.meta.dirname, "..");
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Debugger.enable");
// Before any module of ours is loaded.
await session.post("Profiler.startPreciseCoverage", { callCount: true });

const { createServer, isRunnableDevEnvironment, parseAst } = await import("vite");
const { pino } = await import("pino");
const { runSite } = await import("#cli/run-site.ts");
const { createSendWorker } = await import("#newsletter/sends/send-worker.ts");
const { createMailers } = await import("#mail/create-mailer.ts");
const { openStore } = await import("#newsletter/open-store.ts");
const { createBackendServices } = await import("#server/backend-services.ts");
const { createHttp, requestListener } = await import("#server/http.ts");
const { createHttpServer, listen } = await import("#server/listen.ts");
const { createMetrics } = await import("#server/metrics.ts");
const { readConfig, siteSettings } = await import("#settings/settings.ts");
const { startMailServer } = await import("#tests/mail-server.ts");
const { addSubscribers } = await import("#tests/sends/subscribers.ts");

/** The functions of ours that branch and ran: the file of each by its place. */
type Ran = Map<string, string>;

type Flow = { name: string; target: number; files: string[] };

/** Runs the flows on SQLite and returns the files of each. Throws if a flow doesn't do what it should. */
export async function measureFlows(): Promise<Flow[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "chalkline-flows-"));
  mkdirSync(path.join(folder, "client"));
  const mailServer = await startMailServer();
  const environment = {
    PORT: "0",
    HOST: "127.0.0.1",
    DATA_DIR: path.join(folder, "data"),
    SITE_URL: "https://chalkline.example",
    SITE_STREET: "1 Elm Street",
    SITE_POSTAL_CODE: "M5V 1A1",
    SMTP_URL: mailServer.url,
    MAIL_FROM: "desk@chalkline.example",
    MAIL_FROM_NEWSLETTER: "letter@chalkline.example",
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
  const [log, metrics] = [pino({ level: "silent" }), createMetrics()];
  const backend = createBackendServices({ config, settings, database, log, metrics });
  const { archive, formsFor } = backend;
  const reportError = (error: unknown) => assert.fail(String(error));
  const answer = createHttp({
    settings,
    site: app.createSite({ settings, archive, formsFor, reportError }),
    backend: backend.answer,
    isReady: backend.isReady,
    archiveVersion: archive.version,
    metrics,
    log,
    clientDirectory: path.join(folder, "client"),
    styles: app.styles,
    trustedProxies: config.trustedProxies,
    cacheTags: config.siteCacheTags,
  });
  const server = createHttpServer();
  server.on("request", requestListener(answer, { settings, log }));
  const port = await listen(server, config);
  async function ask(target: string, init?: RequestInit) {
    const response = await fetch(`http://127.0.0.1:${port}${target}`, init);
    assert.equal(response.status, 200);
    return await response.text();
  }

  // Waits until the search's index is made.
  await ask("/search?q=quotes");
  await addSubscribers(database.db, 2);
  await takeRan();
  assert.match(await ask("/"), /<h1/);
  const page = await takeRan();
  const body = JSON.stringify({ email: "ann@people.example" });
  const headers = { "Content-Type": "application/json" };
  await ask("/functions/v1/newsletter-signup", { method: "POST", headers, body });
  const signUp = await takeRan();
  const found = await database.db.selectFrom("subscribers").select("email").execute();
  assert(found.some(({ email }) => email === "ann@people.example"));
  await takeRan();
  assert.match(await ask("/search?q=quotes"), /<mark/);
  const search = await takeRan();
  assert.match(await ask("/rest/v1/final_newsletters?select=id,title&order=id.desc"), /"title"/);
  const rest = await takeRan();

  let said = "";
  const output = new Writable({
    write(chunk, _encoding, done) {
      said += chunk;
      done();
    },
  });
  const io = { stdin: Readable.from([]), stdout: output, stderr: output, environment };
  assert.equal(await runSite(["issues", "send", "1", "--yes"], io), 0, said);
  const { newsletter: mailer } = createMailers(config, settings.url);
  const worker = createSendWorker({ database, log, mailer, site: settings, hindrance: null });
  worker.start();
  for (let waits = 0; mailServer.received.length < 2; waits += 1) {
    assert(waits < 400, "The issue was not sent.");
    await delay(50);
  }
  await worker.stop({ deadlineMs: 1_000 });
  const send = await takeRan();

  await Promise.all([vite.close(), mailServer.close()]);
  rmSync(folder, { recursive: true, force: true });
  const requests = [page, signUp, search, rest].flatMap((ran) => [...ran.keys()]);
  for (const place of requests) start.delete(place);
  const pageFiles = filesOf(page, start);
  return [
    { name: "A page that isn't cached", target: 13, files: pageFiles },
    { name: "A sign-up, to its commit", target: 10, files: filesOf(signUp, start) },
    { name: "Sending an issue", target: 15, files: filesOf(send, start) },
    {
      name: "A search, beyond the page around it",
      target: 5,
      files: filesOf(search, start).filter((file) => !pageFiles.includes(file)),
    },
    { name: "A REST query", target: 5, files: filesOf(rest, start) },
  ];
}

function filesOf(ran: Ran, start: Ran): string[] {
  const files = [...ran].filter(([place]) => !start.has(place)).map(([, file]) => file);
  return [...new Set(files)].filter((file) => !/^(?:content|scripts|tests)\//.test(file)).sort();
}

/** Returns what has run since the last call. */
async function takeRan(): Promise<Ran> {
  const ran: Ran = new Map();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  for (const { scriptId, url, functions } of result) {
    const full = url.startsWith("file:") ? fileURLToPath(url) : url.replace(/\?.*/, "");
    const file = path.relative(projectRoot, full).replaceAll(path.sep, "/");
    if (!path.isAbsolute(full) || /^(?:\.\.|node_modules)\//.test(file)) continue;
    for (const { ranges } of functions) {
      const [range] = ranges;
      if (range && range.count > 0 && branches(await readFunctions(scriptId, file), range))
        ran.set(`${file} ${range.startOffset}`, file);
    }
  }
  return ran;
}

type OwnFunction = { start: number; end: number; branches: boolean; isComponent: boolean };

/** V8 begins a method with its name, the parser with its parameters: of those that end together, the nearest is meant. */
function branches(functions: OwnFunction[], range: { startOffset: number; endOffset: number }) {
  const away = ({ start }: OwnFunction) => Math.abs(start - range.startOffset);
  const [nearest] = functions
    .filter(({ end }) => end === range.endOffset)
    .sort((one, other) => away(one) - away(other));
  return nearest?.branches && !nearest.isComponent;
}

const read = new Map<string, Promise<OwnFunction[]>>();

/** The functions of a loaded script. Node and Vite have taken the types out, and Vite the markup. */
function readFunctions(scriptId: string, file: string): Promise<OwnFunction[]> {
  const known = read.get(scriptId);
  if (known) return known;
  const reading = session.post("Debugger.getScriptSource", { scriptId }).then((script) => {
    const functions: OwnFunction[] = [];
    findFunctions(parseAst(script.scriptSource), null, functions, file.endsWith(".tsx"));
    return functions;
  });
  read.set(scriptId, reading);
  return reading;
}

const branching =
  /^(?:If|Switch|For|ForIn|ForOf|While|DoWhile)Statement$|^(?:Conditional|Logical|Chain)Expression$/;

type Syntax = { type: string; start: number; end: number; id?: unknown };

/** Adds the functions below a node, which is in `outer`. A component's name begins with a capital. */
function findFunctions(
  node: Syntax,
  outer: OwnFunction | null,
  functions: OwnFunction[],
  hasComponents: boolean,
): void {
  const { type, start, end, id } = node;
  let inner = outer;
  if (/Function/.test(type)) {
    const name = id && typeof id === "object" && "name" in id ? String(id.name) : "";
    const isComponent = outer?.isComponent || (hasComponents && /^[A-Z]/.test(name));
    inner = { start, end, branches: false, isComponent };
    functions.push(inner);
  } else if (inner && branching.test(type)) inner.branches = true;
  for (const part of Object.values(node).flat()) {
    if (part && typeof part === "object" && "type" in part)
      findFunctions(part as Syntax, inner, functions, hasComponents);
  }
}
