import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "#tests/free-port.ts";
import { needTool, startBuiltServer } from "./built-server.ts";
import { loadNote, measureLoads } from "./load.ts";
import type { Table } from "./report.ts";

const acceptEncoding = { "accept-encoding": "br" };
/** Headers that nginx writes itself. */
const ownHeaders = "connection content-length content-type date etag keep-alive".split(" ");

/** Cached pages and files, beside one nginx worker that sends the same bytes and headers in the same run. */
export async function throughput(): Promise<Table> {
  needTool("wrk");
  needTool("nginx");
  const server = await startBuiltServer();
  try {
    const home = await fetch(server.url).then((response) => response.text());
    const script = /\/assets\/shared-[\w-]+\.js/.exec(home)?.[0] ?? "/favicon.ico";
    const rows = [];
    for (const [what, address] of [
      ["home page", "/"],
      ["largest script", script],
    ] as const) {
      const answer = await fetchRaw(server.url + address);
      const nginx = await startNginx(answer);
      try {
        const targets = [server.url + address, nginx.url].map((url) => ({
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
        await nginx.stop();
      }
    }
    return {
      title: "Answers from memory, beside nginx",
      note: `${loadNote} To hold: 0.6 of nginx, p99 under 10 ms, 200 MB.`,
      columns:
        "what|bytes|ours / nginx|ours, a second|nginx, a second|p50 / p99 ms|failed|resident MB".split(
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

async function startNginx({ body, headers }: Answer) {
  const folder = await mkdtemp(path.join(tmpdir(), "chalkline-nginx-"));
  const port = await freePort();
  await writeFile(path.join(folder, "file"), body);
  const added = Object.entries(headers)
    .filter(([name]) => !ownHeaders.includes(name))
    .map(([name, value]) => `add_header ${name} "${String(value).replaceAll('"', '\\"')}";`);
  await writeFile(
    path.join(folder, "nginx.conf"),
    `worker_processes 1; daemon off; user root; pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections 1024; }
     http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; open_file_cache max=100;
       client_body_temp_path ${folder}/body;
       server { listen 127.0.0.1:${port}; root ${folder};
         location = /file { types { } default_type "${headers["content-type"]}"; ${added.join(" ")} } } }`,
  );
  const server = spawn("nginx", ["-c", path.join(folder, "nginx.conf"), "-p", folder], {
    stdio: "inherit",
  });
  const url = `http://127.0.0.1:${port}/file`;

  for (let tries = 0; tries < 50; tries += 1) {
    if (await fetch(url).catch(() => null)) break;
    await delay(100);
  }
  return {
    url,
    async stop() {
      server.kill("SIGTERM");
      await once(server, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
