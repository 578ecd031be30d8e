import { once } from "node:events";
import { get, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { endProcess } from "#tests/end-process.ts";
import { bareEnvironment, siteAddress } from "#tests/site-server.ts";
import { startProgram } from "#tests/start-program.ts";
import { needWrk, startBuiltServer } from "./built-server.ts";
import { loadNote, measureLoads } from "./load.ts";
import type { Table } from "./report.ts";

const acceptEncoding = { "accept-encoding": "br" };
/** Headers that Node writes itself. */
const ownHeaders = "connection content-length date keep-alive".split(" ");

/** Cached pages and files, beside a few lines of Hono that send the same bytes and headers in the same run. */
export async function throughput(): Promise<Table> {
  needWrk();
  const server = await startBuiltServer();
  try {
    const home = await fetch(server.url).then((response) => response.text());
    const script = /\/assets\/entry\.client-[\w-]+\.js/.exec(home)?.[0] ?? "/";
    const rows = [];
    for (const [what, address] of [
      ["home page", "/"],
      ["the page’s script", script],
    ] as const) {
      const answer = await fetchRaw(server.url + address);
      const bare = await startBare(answer);
      try {
        const targets = [server.url + address, bare.url].map((url) => ({
          url,
          headers: acceptEncoding,
        }));
        const [ours, theirs] = await measureLoads(targets);
        rows.push([
          what,
          `${answer.body.length}`,
          ((ours?.perSecond ?? 0) / (theirs?.perSecond ?? 1)).toFixed(2),
          `${ours?.perSecond.toFixed(0)}`,
          `${theirs?.perSecond.toFixed(0)}`,
          `${ours?.p50Ms.toFixed(1)} / ${ours?.p99Ms.toFixed(1)}`,
          `${ours?.failed}`,
          server.residentMb().toFixed(0),
        ]);
      } finally {
        await bare.stop();
      }
    }
    return {
      title: "Answers from memory, beside a few lines of Hono",
      note: `${loadNote} To hold: 0.85 of it, p99 under 10 ms, 200 MB.`,
      columns:
        "what|bytes|ours / Hono|ours, a second|Hono, a second|p50 / p99 ms|failed|resident MB".split(
          "|",
        ),
      rows,
    };
  } finally {
    await server.stop();
  }
}

type Answer = { body: Buffer; headers: IncomingHttpHeaders };

/** The bytes as they come, still encoded. */
async function fetchRaw(url: string): Promise<Answer> {
  const request = get(url, { headers: acceptEncoding });
  const [response] = await once(request, "response");
  return { body: await buffer(response), headers: response.headers };
}

async function startBare({ body, headers }: Answer) {
  const sent = Object.entries(headers).filter(([name]) => !ownHeaders.includes(name));
  const program = `
    import { serve } from "@hono/node-server";
    import { Hono } from "hono";
    const body = Buffer.from("${body.toString("base64")}", "base64");
    const headers = ${JSON.stringify(Object.fromEntries(sent))};
    const { fetch } = new Hono().get("*", (context) => context.body(body, 200, headers));
    serve({ fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
      console.log("It is running at http://127.0.0.1:" + port));`;
  const words = ["--input-type=module", "--eval", program];
  const { child, match: url } = await startProgram(words, bareEnvironment, siteAddress);
  return { url, stop: () => endProcess(child) };
}
