import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { callFunction } from "#tests/call-function.ts";
import { contactMessage } from "#tests/contact-message.ts";
import { startTestServer } from "#tests/test-server.ts";

async function start() {
  const { ask, port, metricsPort } = await startTestServer({ METRICS_ADDRESS: "127.0.0.1:0" });
  const readMetrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return { ask, origin: `http://127.0.0.1:${port}`, readMetrics };
}

test("metrics tell how requests, forms and deliveries ended, on their own address alone", async () => {
  const { ask, origin, readMetrics } = await start();
  await ask("/pricing");
  const { headers } = await ask("/pricing");
  await ask("/pricing", { headers: { "If-None-Match": headers.get("etag") ?? "" } });
  await ask("/assets/root-D3qV4ydW.css");
  await ask("/nowhere");
  await ask("/healthz");
  await callFunction(origin, "send-contact-email", contactMessage);
  await callFunction(origin, "newsletter-signup", { email: "reader@example.com" });
  await callFunction(origin, "send-contact-email", {});
  expect((await ask("/metrics")).headers.get("Content-Type")).toContain("text/html");

  const metrics = await readMetrics();
  for (const line of [
    'chalkline_http_requests_total{kind="kept_page",status="2xx"} 1',
    'chalkline_http_requests_total{kind="kept_page",status="3xx"} 1',
    'chalkline_http_requests_total{kind="kept_page",status="4xx"} 1',
    'chalkline_http_requests_total{kind="file",status="2xx"} 1',
    'chalkline_http_requests_total{kind="health",status="2xx"} 1',
    'chalkline_http_requests_total{kind="page",status="4xx"} 1',
    'chalkline_http_requests_total{kind="function",status="2xx"} 2',
    'chalkline_http_requests_total{kind="function",status="4xx"} 1',
    'chalkline_function_answers_total{function="send-contact-email",outcome="taken"} 1',
    'chalkline_function_answers_total{function="send-contact-email",outcome="refused"} 1',
    'chalkline_function_answers_total{function="newsletter-signup",outcome="taken"} 1',
    "chalkline_database_up 1",
    "chalkline_database_errors_total 0",
  ]) {
    expect(metrics).toContain(line);
  }
  expect(metrics).toMatch(/chalkline_last_deletion_timestamp_seconds \d{10}/);
  expect(metrics).toContain("process_resident_memory_bytes");
  expect(metrics).toContain("nodejs_eventloop_lag_seconds");
  expect(metrics).not.toMatch(/dana|reader@/);
});

test("what an alert looks for is there before the first event", async () => {
  const metrics = await (await start()).readMetrics();
  expect(metrics).toContain('{function="newsletter-signup",outcome="failed"} 0');
  expect(metrics).toContain('{kind="form",status="5xx"} 0');
  const alerts = readFileSync("deploy/monitoring/alerts.yaml", "utf8");
  const named = new Set(alerts.match(/\b(?:chalkline|process|nodejs)_\w+(?=[ {)[])/g));
  expect(named.size).toBeGreaterThan(10);
  for (const metric of named) expect(metrics).toContain(`# TYPE ${metric} `);
  const deletedAt = /^chalkline_last_deletion_timestamp_seconds (\S+)$/m.exec(metrics)?.[1];
  expect(Number(deletedAt)).toBeGreaterThan(Date.now() / 1000 - 86_400);
});
