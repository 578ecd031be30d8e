import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import pino from "pino";
import { onTestFinished } from "vitest";
import { type SiteSource, startServer } from "#server/start-server.ts";
import { type Config, readConfig } from "#settings/settings.ts";
import { newFolder } from "./test-folder.ts";

/** The settings of an environment. Throws with the mistakes in it. */
export function configOf(env: Record<string, string>): Config {
  const read = readConfig({ PORT: "0", HOST: "127.0.0.1", ...env });
  if (!read.ok) throw new Error(read.mistakes.join("\n"));
  return read.config;
}

const plainPages: SiteSource["createSite"] = () => async (request) =>
  new Response("<!doctype html><title>x</title>", {
    status: request.url.endsWith("/no-such-page") ? 404 : 200,
    headers: { "Content-Type": "text/html; charset=utf-8" },
  });

/** The real server in this process, with pages of a test's own, a stylesheet and an icon. It is gone after the test. */
export async function startTestServer(env: Record<string, string> = {}, createSite = plainPages) {
  const folder = newFolder();
  const clientDirectory = path.join(folder, "client");
  mkdirSync(path.join(clientDirectory, "assets"), { recursive: true });
  writeFileSync(path.join(clientDirectory, "assets/root-D3qV4ydW.css"), "a{}");
  writeFileSync(path.join(clientDirectory, "favicon.svg"), "<svg/>");
  const config = configOf({ DATA_DIR: path.join(folder, "data"), ...env });
  const site = { createSite, clientDirectory };
  const server = await startServer(config, pino({ level: "silent" }), async () => site);
  onTestFinished(() => server.stop());
  const ask = (target: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${server.port}${target}`, init);
  return { ...server, config, ask };
}
