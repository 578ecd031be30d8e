import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { callFunction } from "../call-function.ts";
import { type SiteServer, startSiteServer } from "../site-server.ts";

/** The same hostile requests in every run. */
const seed = 20_261_125;

const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.constantFrom(
    "",
    "\0",
    "\r\nSet-Cookie: a=b",
    "\u202e\u2066\ufeff",
    "\ud800",
    "%",
    "%00",
    "..%2f..%2fetc%2fpasswd",
    "' or 1=1 --",
    '"}{',
    "<script>alert(1)</script>",
    "{{constructor}}",
    "9".repeat(400),
    "a".repeat(20_000),
  ),
);
const hostileValue = fc.oneof(hostileText, fc.jsonValue({ maxDepth: 3 }), fc.double());

/** Each visitor has an address of its own, so that the limits don't hide what is behind them. */
let visitors = 0;
const someVisitor = () => {
  visitors += 1;
  return { "X-Forwarded-For": `203.0.${visitors >> 8}.${visitors & 255}` };
};

/** Percent-encodes whatever can be, and drops lone surrogates, which can't. */
const encode = (value: string) => encodeURIComponent(value.toWellFormed());

let site: SiteServer;

test.beforeAll(async () => {
  site = await startSiteServer({ TRUSTED_PROXIES: "127.0.0.1,::1", LOG_LEVEL: "error" });
});

test.afterAll(() => site.close());

test.afterEach(async () => {
  expect((await fetch(site.url)).status).toBe(200);
  expect(site.output().match(/"level":"?(?:error|fatal|50|60)\b.*/g)).toBeNull();
});

async function everyAnswerIsBelow500(
  requests: fc.Arbitrary<{ path: string; init?: RequestInit }>,
  runs: number,
) {
  await fc.assert(
    fc.asyncProperty(requests, async ({ path, init }) => {
      const response = await fetch(site.url + path, {
        redirect: "manual",
        ...init,
        headers: { ...someVisitor(), ...init?.headers },
      });
      await response.arrayBuffer();
      expect(response.status, `${path} ${init?.body}`).toBeLessThan(500);
    }),
    { seed, numRuns: runs },
  );
}

test("the table of issues answers a hostile client, whatever it asks", async () => {
  const pairs = fc.array(
    fc.tuple(
      fc.oneof(fc.constantFrom("select", "order", "limit", "offset", "id", "title"), hostileText),
      fc.oneof(hostileText, fc.constantFrom("eq.1", "in.(1,2)", "*", "id.desc", "-1", "1e9")),
    ),
    { maxLength: 4 },
  );
  const requests = pairs.map((all) => ({
    path: `/rest/v1/final_newsletters?${all.map(([key, value]) => `${encode(key)}=${encode(value)}`).join("&")}`,
  }));
  await everyAnswerIsBelow500(requests, 100);
});

test("pages, search and missing addresses answer a hostile client", async () => {
  const requests = hostileText.chain((words) =>
    fc
      .constantFrom(
        `/search?q=${encode(words)}`,
        `/newsletter/${encode(words)}`,
        `/newsletter?issue=${encode(words)}`,
        `/newsletter/confirm?token=${encode(words)}`,
        `/pictures/${encode(words)}.png`,
        `/assets/${encode(words)}`,
        `/${encode(words)}`,
        `/${encode(words)}.data`,
      )
      .map((path) => ({ path })),
  );
  await everyAnswerIsBelow500(requests, 100);
});

test("a hostile client writes nothing by functions and forms that it isn't told of", async () => {
  const fields = fc.record(
    {
      firstName: hostileValue,
      lastName: hostileValue,
      company: hostileValue,
      phone: hostileValue,
      subject: hostileValue,
      message: hostileValue,
    },
    { requiredKeys: [] },
  );
  const accepted: string[] = [];
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(fields, fc.boolean(), async (hostile, isForm) => {
      sent += 1;
      const email = `hostile-${sent}@lopes.example`;
      const plain = { firstName: "Ana", lastName: "Lopes", message: "Hello" };
      const body = { ...plain, ...hostile, email };
      const words = Object.entries(body).map(([name, value]) => [
        name,
        String(typeof value === "object" ? JSON.stringify(value) : value).toWellFormed(),
      ]);
      const response = isForm
        ? await fetch(`${site.url}/contact`, {
            method: "POST",
            redirect: "manual",
            headers: { ...someVisitor(), Origin: site.url },
            body: new URLSearchParams(words),
          })
        : await callFunction(site.url, "send-contact-email", body, someVisitor());
      await response.arrayBuffer();
      expect(response.status, JSON.stringify(body)).toBeLessThan(500);
      if (response.status < 400) accepted.push(email);
    }),
    { seed, numRuns: 100 },
  );
  const listed = await site.command("messages", "export", "--json");
  const stored = [...listed.matchAll(/hostile-\d+@lopes\.example/g)].map(([email]) => email);
  expect(accepted.length).toBeGreaterThan(0);
  expect(new Set(stored)).toEqual(new Set(accepted));
});

test("a client that opens connections rudely delays no other visitor", async () => {
  const { port } = new URL(site.url);
  const pipelined = Array.from(
    { length: 200 },
    (_, n) => `GET /no-such-page-${n} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  ).join("");
  const path = "/functions/v1/send-contact-email";
  const headers = "Content-Type: application/json\r\nContent-Length: 4000";
  const slow = Array.from({ length: 50 }, () => {
    const socket = connect(Number(port), "127.0.0.1").on("error", () => {});
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n{`);
    return socket.resume();
  });
  const drip = setInterval(() => {
    for (const socket of slow) if (socket.writable) socket.write(" ");
  }, 100);
  let isOver = false;
  const visitor = (async () => {
    const statuses = new Set<number>();
    while (!isOver) statuses.add((await fetch(`${site.url}/pricing`)).status);
    return statuses;
  })();
  const get = async (path: string) => {
    const response = await fetch(site.url + path, { headers: someVisitor() });
    await response.arrayBuffer();
    return response.status;
  };
  const connections = Array.from({ length: 8 }, async () => {
    const socket = connect(Number(port), "127.0.0.1").on("error", () => {});
    socket.write(pipelined);
    socket.resume();
    await Promise.race([once(socket, "close"), get("/no-such-page")]);
    socket.destroy();
  });
  const statuses = await Promise.all([
    ...Array.from({ length: 60 }, (_, n) => get(`/newsletter?issue=${n}`)),
    ...Array.from({ length: 60 }, (_, n) => get(`/search?q=quotes+${n}`)),
  ]);
  await Promise.all(connections);
  isOver = true;
  clearInterval(drip);
  for (const socket of slow) socket.destroy();
  // 503 is what a full queue answers.
  for (const status of statuses) expect(status < 500 || status === 503, `${status}`).toBe(true);
  expect(await visitor).toEqual(new Set([200]));
});
