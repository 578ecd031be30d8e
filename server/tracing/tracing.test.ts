import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { expect, onTestFinished, test } from "vitest";
import { until } from "#tests/until.ts";
import { readConfig } from "../config.ts";
import { startServer } from "../start-server.ts";

type Sent = {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: { name: string; traceId: string; parentSpanId?: string }[] }[];
  }[];
};

async function startCollector(status = 200) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      bodies.push(`${request.url} ${request.headers["x-api-key"]} ${body}`);
      response.writeHead(status, { "Content-Type": "application/json" }).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

async function run(env: Record<string, string>) {
  const folder = mkdtempSync(path.join(tmpdir(), "tracing-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const clientDirectory = path.join(folder, "client");
  mkdirSync(clientDirectory);
  const base = { PORT: "0", HOST: "127.0.0.1", DATA_DIR: path.join(folder, "data") };
  const read = readConfig({ ...base, ...env });
  if (!read.ok) throw new Error(read.mistakes.join("\n"));
  expect(read.warnings).toEqual([]);
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
  const server = await startServer(read.config, log, async () => ({
    createSite: () => async () =>
      new Response("<!doctype html><title>x</title>", {
        headers: { "Content-Type": "text/html; charset=utf-8" },
      }),
    clientDirectory,
  }));
  const ask = (target: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${server.port}${target}`, init);
  await ask("/newsletter/7?token=secret-token");
  await ask("/functions/v1/send-contact-email", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      ...{ firstName: "Dana", lastName: "Okafor", email: "dana@example.com", company: "" },
      ...{ phone: "", subject: "", message: "Private words" },
    }),
  });
  await until(() => existsSync(path.join(folder, "data/mail")));
  await server.stop();
  return lines;
}

test("a request, its statements and its mail are spans at the collector, and tell nothing of the visitor", async () => {
  const { url, bodies } = await startCollector();
  await run({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=abc%2C123",
    OTEL_SERVICE_NAME: "front desk",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=trial",
  });
  const sent = bodies.map((body) => JSON.parse(body.slice(body.indexOf("{"))) as Sent);
  expect(bodies[0]).toMatch(/^\/v1\/traces abc,123 /);
  const resources = sent.flatMap(({ resourceSpans }) => resourceSpans);
  expect(resources[0]?.resource.attributes).toContainEqual({
    key: "service.name",
    value: { stringValue: "front desk" },
  });
  expect(resources[0]?.resource.attributes).toContainEqual({
    key: "deployment.environment.name",
    value: { stringValue: "trial" },
  });
  const spans = resources.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  const names = spans.map(({ name }) => name);
  expect(names).toContain("GET /newsletter/:issueId");
  expect(names).toContain("mail hand-over");
  const posted = spans.find(({ name }) => name === "POST function");
  const within = spans.filter(({ traceId }) => traceId === posted?.traceId).map(({ name }) => name);
  expect(within.some((name) => /^(?:insert|raw|select)/.test(name))).toBe(true);
  expect(bodies.join()).not.toMatch(/dana|okafor|private words|secret-token|127\.0\.0\.1|@/i);
});

test("of no share of the traces nothing is sent", async () => {
  const { url, bodies } = await startCollector();
  await run({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0",
  });
  expect(bodies).toEqual([]);
});

test("a collector that takes no traces is said once in the log, by its own status and no more", async () => {
  const { url } = await startCollector(401);
  const lines = await run({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=secret-key",
  });
  const said = lines.filter((line) => line.includes("The collector takes no traces"));
  expect(said).toHaveLength(1);
  expect(lines.join()).not.toContain("secret-key");
});
