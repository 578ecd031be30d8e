import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { brotliCompressSync } from "node:zlib";
import { getMimeType } from "hono/utils/mime";
import { endProcess } from "#tests/end-process.ts";
import { freePort } from "#tests/free-port.ts";
import { median, startBuiltServer } from "./built-server.ts";
import { type Kind, kinds, launchChromium, timePress } from "./first-press.ts";
import { installLighthouse, lighthouseVersion, type Run, runLighthouse } from "./lighthouse.ts";
import type { Table } from "./report.ts";

/** From npm's registry, of one day. */
const versions = { astro: "astro-accelerator@7.1.22", next: "create-next-app@16.4.3" };
const runs = 3;

type Served = { url: string; stop(): Promise<unknown> };
type Candidate = { name: string; page: string; start(): Promise<Served>; presses: Kind[] };

/** The site's home beside a static template and a Next.js template, built in a temporary folder in the same run. */
export async function templates(): Promise<Table> {
  installLighthouse();
  const folder = mkdtempSync(path.join(tmpdir(), "chalkline-templates-"));
  const candidates: Candidate[] = [
    {
      name: "this site",
      page: "/",
      start: startBuiltServer,
      presses: kinds.filter(({ what }) => ["link", "tab"].includes(what)),
    },
    {
      name: `Astro (${versions.astro})`,
      page: "/",
      start: () => startAstro(path.join(folder, "astro")),
      presses: [linkPress("a[href='/articles/1/']", "link[rel=canonical][href$='/articles/1/']")],
    },
    {
      name: `Next.js (${versions.next})`,
      page: "/",
      start: () => startNext(path.join(folder, "next")),
      presses: [
        linkPress("a[href='/two']", "#two"),
        {
          what: "tab",
          path: "/",
          target: "[role=tab]:nth-child(3)",
          answer: "[role=tab]:nth-child(3)[aria-selected=true]",
        },
      ],
    },
  ];
  const browser = await launchChromium();
  const served: Served[] = [];
  try {
    for (const candidate of candidates) served.push(await candidate.start());
    const results = candidates.map(() => ({
      audits: [] as Run[],
      times: [[], [], [], []] as number[][],
    }));
    // In turns, so that a busy minute of the machine is everybody's.
    for (let run = 0; run < runs; run += 1) {
      for (const [index, { page, presses }] of candidates.entries()) {
        const result = results[index];
        const url = served[index]?.url.replace("127.0.0.1", "localhost") ?? "";
        result?.audits.push(await runLighthouse(url + page));
        for (const [at, kind] of presses.entries())
          for (const [of, moment] of (["painted", "fetched"] as const).entries()) {
            const time = await timePress(browser, url, kind, moment);
            result?.times[2 * at + of]?.push(time);
          }
      }
    }
    return {
      title: "Beside two templates",
      note: `Lighthouse ${lighthouseVersion} and first presses as above, median of ${runs}, in turns. Astro's starter has no tabs; Next.js's has been given a link, a page and two tabs, and its fonts from Google are taken out.`,
      columns:
        "what|performance|FCP / LCP ms|TBT ms|link pressed, page just painted / fetched|tab pressed, the same".split(
          "|",
        ),
      rows: candidates.map(({ name }, index) => rowOf(name, results[index])),
    };
  } finally {
    await browser.close();
    for (const one of served) await one.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowOf(name: string, result: { audits: Run[]; times: number[][] } | undefined): string[] {
  const { audits = [], times = [] } = result ?? {};
  const of = (read: (run: Run) => number) => median(audits.map(read)).toFixed(0);
  const time = (at: number) => (times[at]?.length ? median(times[at]).toFixed(0) : "–");
  return [
    name,
    of(({ scores }) => scores[0] ?? 0),
    `${of(({ fcp }) => fcp)} / ${of(({ lcp }) => lcp)}`,
    of(({ tbt }) => tbt),
    `${time(0)} / ${time(1)}`,
    `${time(2)} / ${time(3)}`,
  ];
}

function linkPress(target: string, answer: string): Kind {
  return { what: "link", path: "/", target, answer };
}

function run(folder: string, command: string, ...words: string[]): void {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ASTRO_TELEMETRY_DISABLED: "1" };
  execFileSync(command, words, { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
}

const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

async function startAstro(folder: string): Promise<Served> {
  mkdirSync(folder);
  run(folder, "npm", "pack", versions.astro, "--silent");
  run(folder, "sh", "-c", "tar -xzf *.tgz --strip-components=1");
  const manifest = path.join(folder, "package.json");
  // Its own helpers of this very version aren't in the registry.
  const loosened = readFileSync(manifest, "utf8").replace(/(accelerator-utils": ")[^"]*/, "$1*");
  writeFileSync(manifest, loosened);
  cpSync(path.join(folder, "sample/src"), path.join(folder, "src"), { recursive: true });
  run(folder, "npm", ...install, "--omit=dev");
  run(folder, process.execPath, "node_modules/astro/bin/astro.mjs", "build");
  return await serveFiles(path.join(folder, "dist"));
}

async function startNext(folder: string): Promise<Served> {
  const options =
    "--ts --tailwind --no-eslint --app --no-src-dir --use-npm --disable-git --skip-install --yes";
  const name = path.basename(folder);
  run(path.dirname(folder), "npx", "--yes", versions.next, name, ...options.split(" "));
  for (const [file, text] of Object.entries(nextFiles)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  const home = path.join(folder, "app/page.tsx");
  const page = readFileSync(home, "utf8").replace(/<main [^>]*>/, "$&<Pressed />");
  writeFileSync(home, `import { Pressed } from "./pressed";\n${page}`);
  run(folder, "npm", ...install);
  const next = "node_modules/next/dist/bin/next";
  run(folder, process.execPath, next, "build");
  const port = await freePort();
  const child = spawn(process.execPath, [next, "start", "-p", `${port}`], {
    cwd: folder,
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(url).catch(() => null))) await delay(200);
  return { url, stop: () => endProcess(child) };
}

const nextFiles = {
  "app/layout.tsx": `import "./globals.css";
export const metadata = { title: "Create Next App", description: "Generated by create next app" };
export default function RootLayout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}`,
  "app/two/page.tsx": `export default function Two() { return <h1 id="two">Two</h1>; }`,
  "app/pressed.tsx": `"use client";
import Link from "next/link";
import { useState } from "react";
export function Pressed() {
  const [chosen, choose] = useState(0);
  return <div><Link href="/two">Two</Link>{["One", "Other"].map((name, at) => (
    <button key={name} role="tab" aria-selected={at === chosen} onClick={() => choose(at)}>{name}</button>
  ))}</div>;
}`,
};

/** A folder of files, compressed, as a static host serves it. */
async function serveFiles(folder: string): Promise<Served> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const name = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    try {
      const body = brotliCompressSync(readFileSync(path.join(folder, name)));
      response.setHeader("Content-Type", getMimeType(name) ?? "application/octet-stream");
      response.setHeader("Content-Encoding", "br");
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => void server.close().closeAllConnections(),
  };
}
