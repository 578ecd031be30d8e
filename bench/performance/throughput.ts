import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { type BuiltServer, startBuiltServer } from "../built-server.ts";
import { needTool } from "../debian-tools.ts";
import type { BenchTable, Measurement } from "../measurement.ts";
import { type LoadResult, medianByRate, sendLoad } from "./load.ts";
import { type ServedFile, startNginx } from "./nginx.ts";

const warmUpSeconds = 3;
const runSeconds = 10;
const rounds = 3;
const acceptEncoding = { "accept-encoding": "br" };

/** Headers that nginx and Node write themselves. */
const ownHeaders = new Set(["connection", "content-length", "date", "keep-alive"]);

/** Pages and files from memory, beside nginx and a bare Node server that hand out the same bytes in the same run. */
export const throughput: Measurement = {
  name: "throughput",
  async run({ say }) {
    needTool("wrk");
    needTool("nginx");
    const server = await startBuiltServer();
    try {
      const subjects = await findSubjects(server);
      const rows: string[][] = [];
      for (const subject of subjects) {
        say(`${subject.what}: ${rounds} rounds of ${runSeconds} s for each server`);
        rows.push(await compare(server, subject));
      }
      return [tableOf(rows)];
    } finally {
      await server.stop();
    }
  },
};

type Subject = { what: string; address: string; file: ServedFile; ifNoneMatch: boolean };

async function findSubjects(server: BuiltServer): Promise<Subject[]> {
  const home = await fetch(server.url).then((response) => response.text());
  return [
    await subject(server, "home page", "/"),
    await subject(server, "home page, unchanged (304)", "/", { ifNoneMatch: true }),
    await subject(server, "largest script of the home page", await largestOf(server, home)),
  ];
}

async function largestOf(server: BuiltServer, html: string): Promise<string> {
  const scripts = [...new Set(html.match(/\/assets\/[\w-]+\.js/g))];
  const sizes = await Promise.all(
    scripts.map(async (address) => {
      const response = await fetch(server.url + address, { headers: acceptEncoding });
      return { address, size: Number(response.headers.get("content-length")) };
    }),
  );
  return sizes.toSorted((a, b) => b.size - a.size)[0]?.address ?? "";
}

async function subject(
  { url }: BuiltServer,
  what: string,
  address: string,
  { ifNoneMatch = false } = {},
): Promise<Subject> {
  const { body, headers } = await fetchRaw(url + address);
  const kept = Object.entries(headers).filter(([name]) => !ownHeaders.has(name));
  const file = { name: "file", body, headers: Object.fromEntries(kept) };
  return { what, address, file, ifNoneMatch };
}

/** The bytes as they come, still encoded. */
async function fetchRaw(url: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    body: Buffer;
    headers: Record<string, string>;
  }>();
  get(url, { headers: acceptEncoding }, async (response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    resolve({
      body: Buffer.concat(chunks),
      headers: response.headers as Record<string, string>,
    });
  }).on("error", reject);
  return await promise;
}

async function compare(server: BuiltServer, subject: Subject): Promise<string[]> {
  const { etag = "", ...headers } = subject.file.headers;
  const nginx = await startNginx([{ ...subject.file, headers }]);
  const bare = await startBareNode({ ...subject.file, headers });
  const nginxTag = await fetch(`${nginx.url}/file`).then((response) =>
    response.headers.get("etag"),
  );
  const conditional = (tag: string | null): Record<string, string> =>
    subject.ifNoneMatch && tag ? { "if-none-match": tag } : {};
  const targets = [
    { url: `${nginx.url}/file`, headers: conditional(nginxTag) },
    { url: bare.url, headers: {} },
    { url: server.url + subject.address, headers: conditional(etag) },
  ];
  const results: LoadResult[][] = targets.map(() => []);
  try {
    for (let round = 0; round <= rounds; round += 1) {
      // In turn, so that whatever else the machine does disturbs all of them alike. The first round warms up.
      for (const [index, { url, headers }] of targets.entries()) {
        const seconds = round === 0 ? warmUpSeconds : runSeconds;
        const result = await sendLoad({ url, seconds, headers: { ...acceptEncoding, ...headers } });
        if (round > 0) results[index]?.push(result);
      }
    }
  } finally {
    await Promise.all([nginx.stop(), bare.stop()]);
  }
  return rowOf(subject, results.map(medianByRate) as [LoadResult, LoadResult, LoadResult]);
}

function rowOf({ what, file, ifNoneMatch }: Subject, [nginx, bare, ours]: LoadResult[]): string[] {
  const rate = (result?: LoadResult) => Math.round(result?.perSecond ?? 0).toLocaleString("en-CA");
  const ratio = (ours?.perSecond ?? 0) / (nginx?.perSecond ?? 1);
  return [
    what,
    ifNoneMatch ? "no body" : `${file.body.length.toLocaleString("en-CA")} B`,
    ratio.toFixed(2),
    rate(ours),
    rate(nginx),
    ifNoneMatch ? "" : rate(bare),
    `${ours?.p50Ms.toFixed(1)} / ${ours?.p99Ms.toFixed(1)}`,
    String(ours?.failed),
  ];
}

async function startBareNode({ body, headers }: ServedFile) {
  const folder = await mkdtemp(path.join(tmpdir(), "chalkline-bare-"));
  const file = path.join(folder, "body");
  await writeFile(file, body);
  const entry = path.join(import.meta.dirname, "bare-node-server.ts");
  const server: ChildProcess = spawn(process.execPath, [entry, file, JSON.stringify(headers)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [port] = (await once(server.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  return {
    url: `http://127.0.0.1:${port.toString().trim()}/`,
    async stop() {
      const exited = once(server, "exit");
      server.kill();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function tableOf(rows: string[][]): BenchTable {
  return {
    title: "Answers from memory, beside nginx",
    note: `\`wrk\`, 64 connections, one thread, ${runSeconds} s, median of ${rounds} rounds taken in turn; one process of ours and one nginx worker with the same brotli bytes and headers. The bar is 0.70 of nginx and a p99 under 10 ms. A bare Node server hands out one buffer and looks at no request.`,
    columns: [
      "what",
      "bytes",
      "ours / nginx",
      "ours, answers/s",
      "nginx, answers/s",
      "bare Node, answers/s",
      "ours, p50 / p99 ms",
      "failed",
    ],
    rows,
  };
}
