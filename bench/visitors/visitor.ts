// Visitors beside an attack or other work, as a process of their own: kept pages and both forms; prints how they fared as JSON.
import { Agent, type RequestOptions, request } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { visitorAddress } from "./loopback-addresses.ts";
import { untilTold } from "./until-told.ts";
import { visitedPages } from "./visited-pages.ts";

export type VisitOrder = { port: number; seconds: number };

export type Fared = {
  count: number;
  errors: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** What went wrong, each with how often. */
  complaints: Record<string, number>;
};

export type VisitReport = {
  pages: Fared;
  forms: Fared;
  /** How late the visitors' own process was at its timers: what of the waiting is not the server's. */
  loopDelayP99Ms: number;
};

const pageEveryMs = 50;
const formEveryMs = 250;
/** A visit that fails counts as one that lasts as long. */
const timeoutMs = 10_000;

const message = { firstName: "Ada", lastName: "Roof", company: "", phone: "", subject: "" };
const json = { "content-type": "application/json" };
const posted = { "content-type": "application/x-www-form-urlencoded" };

type Ask = { method: string; path: string; headers: Record<string, string>; body: string };
type Visit = { ms: number; complaint: string | null };

/** Each form as scripts send it and as browsers without scripts do; each time for another mailbox. */
const formPosts: ((n: number) => Ask)[] = [
  (n) => asJson("/functions/v1/send-contact-email", { ...message, ...mailOf(n) }),
  (n) => asJson("/functions/v1/newsletter-signup", { email: mailOf(n).email }),
  (n) => asForm("/contact", { ...message, ...mailOf(n) }),
  (n) => asForm("/newsletter", { email: mailOf(n).email }),
];

const order = JSON.parse(process.argv[2] ?? "") as VisitOrder;
const keptConnections = new Agent({ keepAlive: true, localAddress: visitorAddress(0) });
const loopDelay = monitorEventLoopDelay({ resolution: 5 });
loopDelay.enable();
const isOver = untilTold(order.seconds);
const [pageVisits, formVisits] = await Promise.all([
  // In turn on a new connection from an address of its own, and on one that is kept.
  every(pageEveryMs, (n) => visit(askPage(n), n % 2 === 0 ? newConnection(n) : kept())),
  every(formEveryMs, (n) => {
    const ask = formPosts[n % formPosts.length]?.(n);
    if (!ask) throw new Error("There is no form.");
    return visit(ask, newConnection(50_000 + n));
  }),
]);
const report: VisitReport = {
  pages: fared(pageVisits),
  forms: fared(formVisits),
  loopDelayP99Ms: loopDelay.percentile(99) / 1e6,
};
process.stdout.write(JSON.stringify(report), () => process.exit());

function askPage(n: number): Ask {
  const path = visitedPages[n % visitedPages.length] ?? "/";
  return { method: "GET", path, headers: { "accept-encoding": "br" }, body: "" };
}

function asJson(path: string, body: object): Ask {
  return { method: "POST", path, headers: json, body: JSON.stringify(body) };
}

function asForm(path: string, fields: Record<string, string>): Ask {
  return { method: "POST", path, headers: posted, body: new URLSearchParams(fields).toString() };
}

function mailOf(n: number) {
  const email = `visitor-${process.pid}-${n}@mail${n % 97}.example`;
  return { email, message: `Our quotes take three evenings a week. (${n})` };
}

function newConnection(n: number): RequestOptions {
  return { agent: false, localAddress: visitorAddress(n) };
}

function kept(): RequestOptions {
  return { agent: keptConnections };
}

/** Begins a visit at each moment, however long those before it take. */
async function every(ms: number, begin: (n: number) => Promise<Visit>): Promise<Visit[]> {
  const visits: Promise<Visit>[] = [];
  for (let due = performance.now(); !isOver(); due += ms) {
    await delay(Math.max(0, due - performance.now()));
    visits.push(begin(visits.length));
  }
  return await Promise.all(visits);
}

async function visit(ask: Ask, how: RequestOptions): Promise<Visit> {
  const startedAt = performance.now();
  const complaint = await send(ask, how, true);
  return { ms: complaint ? timeoutMs : performance.now() - startedAt, complaint };
}

/** What is wrong with the answer; null where nothing is. On a closed connection it asks again, once, as browsers do. */
function send(ask: Ask, how: RequestOptions, mayRepeat: boolean): Promise<string | null> {
  const { method, path, body } = ask;
  const { port } = order;
  const headers = {
    ...ask.headers,
    ...(body ? { "content-length": Buffer.byteLength(body) } : {}),
  };
  return new Promise((resolve) => {
    const asked = request(
      { host: "127.0.0.1", port, method, path, headers, ...how, timeout: timeoutMs },
      async (answer) => {
        let said = "";
        try {
          answer.setEncoding("latin1");
          for await (const chunk of answer) said += chunk;
        } catch {
          return resolve("broke off");
        }
        if (answer.statusCode !== 200) return resolve(`${path}: ${answer.statusCode}`);
        const failed = path.startsWith("/functions/") && !said.includes('"success":true');
        resolve(failed ? `${path}: no success` : null);
      },
    );
    asked.once("timeout", () => asked.destroy(new Error("timeout")));
    asked.once("error", (error: NodeJS.ErrnoException) => {
      const mayAgain = mayRepeat && asked.reusedSocket && error.message !== "timeout";
      if (mayAgain) resolve(send(ask, how, false));
      else resolve(error.code ?? error.message);
    });
    asked.end(body);
  });
}

function fared(visits: Visit[]): Fared {
  const times = visits.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? Number.NaN;
  const complaints: Record<string, number> = {};
  for (const { complaint } of visits) {
    if (complaint) complaints[complaint] = (complaints[complaint] ?? 0) + 1;
  }
  const errors = Object.values(complaints).reduce((sum, count) => sum + count, 0);
  return {
    count: visits.length,
    errors,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: times.at(-1) ?? Number.NaN,
    complaints,
  };
}
