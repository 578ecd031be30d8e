// Visitors of all kinds through the proxy at a steady rate, however long each waits, as a process of its own; prints what
// became of each kind of request, and of every form, as JSON.
import { Agent, type RequestOptions, request } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { visitorAddress } from "../../visitors/loopback-addresses.ts";
import { untilTold } from "../../visitors/until-told.ts";
import { type Kind, perSecond } from "./load-mix.ts";

/** `assets` are addresses of files of the build. */
type LoadOrder = { port: number; seconds: number; assets: string[]; issues: number };

/** When it was begun and ended, in milliseconds since 1970, and what was wrong. */
export type Failure = { kind: Kind; begunAt: number; endedAt: number; what: string };

export type LoadReport = {
  /** When the first one was begun, in milliseconds since 1970. */
  begunAt: number;
  asked: Record<Kind, number>;
  failures: Failure[];
  /** The mailboxes of forms that were answered with success. */
  acknowledged: { "sign-ups": string[]; messages: string[] };
  /** Of requests that didn't fail. */
  longestMs: Record<Kind, number>;
  /** How late the visitors themselves were, at most. */
  ownLatestMs: number;
};

const timeoutMs = 15_000;
/** Each at an address of its own, with connections that it keeps as a browser does. */
const visitors = 60;
const connectionsEach = 2;
const pages = ["/", "/pricing", "/about", "/contact", "/use-cases/leads", "/newsletter"];
/** A page without scripts is kept, so what is sent from it has one key for many; the words differ. */
const pageKey = "0123456789abcdef0123456789abcdef";
const json = { "content-type": "application/json" };
const posted = { "content-type": "application/x-www-form-urlencoded" };

type Ask = { path: string; headers?: Record<string, string>; body?: string };

const order = JSON.parse(process.argv[2] ?? "") as LoadOrder;
const agents = Array.from(
  { length: visitors },
  (_, visitor) =>
    new Agent({
      keepAlive: true,
      maxSockets: connectionsEach,
      localAddress: visitorAddress(visitor),
    }),
);
const kinds = Object.keys(perSecond) as Kind[];
const ofEachKind = <T>(value: T) =>
  Object.fromEntries(kinds.map((kind) => [kind, value])) as Record<Kind, T>;
const report: LoadReport = {
  begunAt: Date.now(),
  asked: ofEachKind(0),
  failures: [],
  acknowledged: { "sign-ups": [], messages: [] },
  longestMs: ofEachKind(0),
  ownLatestMs: 0,
};
const isOver = untilTold(order.seconds);
await Promise.all(kinds.map(keepAsking));
process.stdout.write(JSON.stringify(report), () => process.exit());

async function keepAsking(kind: Kind): Promise<void> {
  const visits: Promise<void>[] = [];
  const everyMs = 1_000 / perSecond[kind];
  for (let due = performance.now(); !isOver(); due += everyMs) {
    await delay(Math.max(0, due - performance.now()));
    report.ownLatestMs = Math.max(report.ownLatestMs, performance.now() - due);
    visits.push(visit(kind, report.asked[kind]));
    report.asked[kind] += 1;
  }
  await Promise.all(visits);
}

async function visit(kind: Kind, n: number): Promise<void> {
  const isForm = kind === "sign-ups" || kind === "messages";
  const email = `${kind === "messages" ? "sender" : "reader"}-${n}@mail${n % 97}.example`;
  const ask = askOf(kind, n, email);
  // Each form comes from an address of its own, since the site counts what comes from one.
  const how: RequestOptions = isForm
    ? { agent: false, localAddress: visitorAddress(visitors + n) }
    : { agent: agents[n % visitors] };
  const begunAt = Date.now();
  const what =
    kind === "pages" && readsScript(n)
      ? await readWithScript(ask, how)
      : (await send(ask, how)).wrong;
  const endedAt = Date.now();
  if (what !== null) report.failures.push({ kind, begunAt, endedAt, what });
  else {
    report.longestMs[kind] = Math.max(report.longestMs[kind], endedAt - begunAt);
    if (isForm) report.acknowledged[kind].push(email);
  }
}

/** One in ten readers goes on to the script that the page names, which may be of another release than the next copy is. */
function readsScript(n: number): boolean {
  return n % 10 === 9;
}

async function readWithScript(ask: Ask, how: RequestOptions): Promise<string | null> {
  const page = await send({ ...ask, headers: { "accept-encoding": "identity" } }, how);
  if (page.wrong !== null) return page.wrong;
  const script = /\/assets\/entry\.client-[\w-]+\.js/.exec(page.said)?.[0];
  if (script === undefined) return "names no script";
  const { wrong } = await send({ path: script }, how);
  return wrong && `script: ${wrong}`;
}

/** Forms in turn as scripts send them and as browsers without scripts do. */
function askOf(kind: Kind, n: number, email: string): Ask {
  const message = {
    firstName: "Ada",
    lastName: "Roof",
    email,
    message: `Quotes take us long. ${n}`,
  };
  switch (kind) {
    case "pages": {
      // Of ten pages, three are of issues.
      const issue = `/newsletter/${1 + (n % order.issues)}`;
      return { path: n % 10 < 3 ? issue : (pages[n % pages.length] ?? "/") };
    }
    case "files":
      return { path: order.assets[n % order.assets.length] ?? "/" };
    case "searches":
      return { path: `/search?q=quote+${n}` };
    case "API reads":
      return { path: `/rest/v1/final_newsletters?select=id,title&order=id.desc&limit=5` };
    case "sign-ups":
      return n % 2
        ? {
            path: "/functions/v1/newsletter-signup",
            headers: json,
            body: JSON.stringify({ email }),
          }
        : { path: "/newsletter", headers: posted, body: new URLSearchParams({ email }).toString() };
    case "messages":
      return n % 2
        ? {
            path: "/functions/v1/send-contact-email",
            headers: json,
            body: JSON.stringify(message),
          }
        : {
            path: "/contact",
            headers: posted,
            body: new URLSearchParams({ ...message, idempotencyKey: pageKey }).toString(),
          };
  }
}

/** What the answer says, and what is wrong with it; null where nothing is. */
type Answer = { wrong: string | null; said: string };

function send({ path, headers = {}, body }: Ask, how: RequestOptions): Promise<Answer> {
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  return new Promise((resolve) => {
    const asked = request(
      {
        ...{ host: "127.0.0.1", port: order.port, path, rejectUnauthorized: false },
        ...how,
        method: body === undefined ? "GET" : "POST",
        headers: { host: "www.example.com", "accept-encoding": "br", ...headers, ...length },
        timeout: timeoutMs,
      },
      async (answer) => {
        let said = "";
        const end = (wrong: string | null) => resolve({ wrong, said });
        try {
          answer.setEncoding("latin1");
          for await (const chunk of answer) said += chunk;
          if (answer.statusCode !== 200) return end(`status ${answer.statusCode}`);
          const isCall = path.startsWith("/functions/");
          end(isCall && !said.includes('"success":true') ? "no success" : null);
        } catch {
          end("broke off");
        }
      },
    );
    asked.once("timeout", () => asked.destroy(new Error("no answer in time")));
    asked.once("error", (error: NodeJS.ErrnoException) =>
      resolve({ wrong: error.code ?? error.message, said: "" }),
    );
    asked.end(body);
  });
}
