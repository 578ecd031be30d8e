import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { startSlowClients } from "#tests/reliability/slow-clients.ts";
import { type BuiltServer, startBuiltServer } from "./built-server.ts";
import type { Table } from "./report.ts";
import { type Answered, timeOf, timesOf } from "./visitor.ts";

const seconds = 10;
const clients = 8;

type Attack = { what: string; start(server: BuiltServer, isOver: () => boolean): Promise<unknown> };

let fresh = 0;

const attacks: Attack[] = [
  { what: "nothing", start: async () => {} },
  { what: "500 pipelined unknown paths", start: pipeline },
  { what: "fresh searches", start: ask(() => `/search?q=quotes+${++fresh}`) },
  {
    what: "slow bodies",
    async start(server, isOver) {
      const port = Number(new URL(server.url).port);
      const path = "/functions/v1/send-contact-email";
      const slow = await startSlowClients({ port, path, count: 200, everyMs: 100 });
      while (!isOver()) await delay(100);
      slow.close();
    },
  },
];

/** Measures how one rude client on the bare port slows another visitor's cached page; the server has a heap of 400 MB. */
export async function hostile(): Promise<Table> {
  const rows = [];
  for (const { what, start } of attacks) {
    const server = await startBuiltServer({}, { flags: ["--max-old-space-size=400"] });
    await fetch(server.url);
    const endsAt = performance.now() + seconds * 1_000;
    const isOver = () => performance.now() > endsAt;
    const attack = start(server, isOver);
    const visits: Answered[] = [];
    const newcomers: Answered[] = [];
    let residentMb = 0;
    while (!isOver()) {
      const from = performance.now();
      const response = await fetch(server.url).catch(() => null);
      await response?.arrayBuffer();
      visits.push({ ms: performance.now() - from, status: response?.status ?? 0 });
      newcomers.push(await timeOf(server.url, "203.0.113.1"));
      if (server.isRunning()) residentMb = Math.max(residentMb, server.residentMb());
      await delay(10);
    }
    await attack;
    const failed = [...visits, ...newcomers].filter(({ status }) => status !== 200).length;
    const verdict = server.isRunning() ? "yes" : "no";
    const times = [timesOf(visits), timesOf(newcomers)];
    rows.push([what, ...times, `${failed}`, residentMb.toFixed(0), verdict]);
    await server.stop();
  }
  return {
    title: "A rude client on the bare port",
    note: `${clients} connections of one client for ${seconds} s, while a visitor asks for the home page, in turns on a kept and on a new connection. To hold: p99 under 250 ms, under 512 MB, running afterwards.`,
    columns:
      "the client sends|visitor, p50 / p99 ms|on a new connection|failed|resident MB at most|running".split(
        "|",
      ),
    rows,
  };
}

function ask(path: () => string): Attack["start"] {
  return (server, isOver) =>
    Promise.all(
      Array.from({ length: clients }, async () => {
        while (!isOver()) {
          const response = await fetch(server.url + path()).catch(() => null);
          await response?.arrayBuffer().catch(() => {});
        }
      }),
    );
}

async function pipeline({ url }: BuiltServer, isOver: () => boolean) {
  const requests = Array.from(
    { length: 500 },
    (_, n) => `GET /no-such-page-${n} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  ).join("");
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (!isOver()) {
        const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {});
        socket.write(requests);
        socket.resume();
        await delay(250);
        socket.destroy();
      }
    }),
  );
}
