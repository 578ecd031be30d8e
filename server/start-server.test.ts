import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "./settings.ts";
import { type RunningServer, type SiteSource, startServer } from "./start-server.ts";

let dataDir = "";
let running: RunningServer[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "start-server-"));
});

afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()));
  running = [];
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(
  createSite: SiteSource["createSite"],
  env: Record<string, string> = {},
  clientDirectory: string | null = null,
): Promise<RunningServer> {
  const read = readConfig({ PORT: "0", HOST: "127.0.0.1", DATA_DIR: dataDir, ...env });
  if (!read.ok) throw new Error(read.mistakes.join("\n"));
  const server = await startServer(read.config, pino({ level: "silent" }), async () => ({
    createSite,
    clientDirectory,
  }));
  running.push(server);
  return server;
}

const greeting: SiteSource["createSite"] = () => async () => new Response("hello");

describe("startServer", () => {
  test("keeps no data of its own with a hosted backend", async () => {
    const server = await start(
      ({ archive }) =>
        async () =>
          archive.heads().then(
            () => new Response("own"),
            () => new Response("hosted"),
          ),
      // Nobody listens there.
      { BACKEND_URL: "http://127.0.0.1:9", BACKEND_ANON_KEY: "sb_publishable_abc" },
    );
    const origin = `http://127.0.0.1:${server.port}`;
    expect(server.database).toBeNull();
    expect(await (await fetch(origin)).text()).toBe("hosted");
    expect((await fetch(`${origin}/rest/v1/final_newsletters`)).status).toBe(404);
    expect((await fetch(`${origin}/readyz`)).status).toBe(503);
  });

  /** Sends what fetch wouldn't, and returns the status of each answer. */
  async function sendRaw(port: number, head: string, body = ""): Promise<number[]> {
    const socket = connect(port, "127.0.0.1");
    socket.write(`${head}\r\nHost: localhost\r\nConnection: close\r\n\r\n${body}`);
    return Array.from((await text(socket)).matchAll(/HTTP\/1\.1 (\d+)/g), (line) =>
      Number(line[1]),
    );
  }

  test("takes the absolute form of an address for files, pages and posts alike", async () => {
    const files = path.join(dataDir, "files");
    mkdirSync(files);
    writeFileSync(path.join(files, "favicon.svg"), "<svg/>");
    const { port } = await start(greeting, {}, files);
    for (const target of ["/favicon.svg", "/pricing", "", "/healthz?a=b"])
      expect(await sendRaw(port, `GET http://localhost${target} HTTP/1.1`)).toEqual([200]);
    const note = "POST http://localhost/visits?/pricing HTTP/1.1\r\nContent-Length: 0";
    expect(await sendRaw(port, note)).toEqual([204]);
  });

  test("doesn't ask for a body that it will refuse", async () => {
    const { port } = await start(greeting);
    for (const path of ["/contact", "/functions/v1/newsletter-signup"]) {
      const head = `POST ${path} HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: `;
      expect(await sendRaw(port, `${head}5000000`)).toEqual([413]);
      expect(await sendRaw(port, `${head}2`, "{}")).toEqual([100, expect.any(Number)]);
    }
  });
});
