/**
 * Asks the built site for each kind of page, as a visitor would, and fails where the framework has written one otherwise
 * than server/document/finish-document.ts reads it. Runs at the end of each build, so that a new version of the framework stops the build
 * and costs no visitor a page that is painted late or whose scripts are refused.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { pages } from "#pages.ts";
import { openSiteIn } from "#server/built-site.ts";
import { projectRoot, readConfig } from "#server/settings.ts";
import { startServer } from "#server/start-server.ts";

/** Pino's number for it. */
const errorLevel = 50;

type LogLine = { level: number; msg: string; unexpected?: string; err?: { message: string } };

const screens = pages
  .filter(({ kind }) => kind === "page")
  .map(({ path }) => path.replace(":issueId", "1"));
const token = "a".repeat(43);
const addresses = [
  ...screens,
  "/newsletter?issue=1",
  `/newsletter/confirm?token=${token}`,
  `/newsletter/unsubscribe?token=${token}`,
  `/newsletter/confirm?change=${token}`,
  "/search?q=quotes",
  "/newsletter/999999",
  "/no-such-page",
];
const forms = pages.filter(({ takesForms }) => takesForms).map(({ path }) => path);

const buildFolder = path.join(projectRoot, process.env.BUILD_FOLDER ?? "build");
const faults = new Set<string>();
const dataFolder = await mkdtemp(path.join(tmpdir(), "check-documents-"));
try {
  await checkSite();
} finally {
  await rm(dataFolder, { recursive: true });
}
if (faults.size > 0) {
  const list = [...faults].map((fault) => `- ${fault}`).join("\n");
  throw new Error(`The framework's pages aren't what server/document/ reads:\n${list}`);
}

async function checkSite(): Promise<void> {
  const read = readConfig({ HOST: "127.0.0.1", PORT: "0", DATA_DIR: dataFolder });
  if (!read.ok) throw new Error(read.mistakes.join("\n"));
  const log = pino({ level: "warn" }, { write: (line: string) => noteLine(JSON.parse(line)) });
  const server = await startServer(read.config, log, () => openSiteIn(buildFolder));
  const ask = (address: string, form?: RequestInit) => {
    const headers = { Origin: server.settings.url, "Accept-Encoding": "identity" };
    return fetch(server.settings.url + address, { headers, ...form });
  };
  try {
    for (const address of addresses) await checkPage(address, await ask(address));
    for (const address of forms) {
      const body = new URLSearchParams({ email: "no address" });
      await checkPage(`${address}, posted,`, await ask(address, { method: "POST", body }));
    }
  } finally {
    await server.stop();
  }
}

function noteLine({ level, msg, unexpected, err }: LogLine): void {
  if (unexpected) faults.add(unexpected);
  else if (level >= errorLevel) faults.add(`${msg}: ${err?.message}`);
}

async function checkPage(name: string, response: Response): Promise<void> {
  await response.arrayBuffer();
  if (response.status >= 500) faults.add(`${name} answers ${response.status}.`);
}
