import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The rules of MDN's HTTP Observatory. With what it needs it weighs 130 MB, so it's fetched for the measurement alone. */
const scanner = { name: "@mdn/mdn-http-observatory", version: "1.4.8" };
/** Makes the certificate that the scan's https needs. */
const certificates = { name: "selfsigned", version: "5.5.0" };

const tools = path.join(import.meta.dirname, "../.tools/observatory");
const installed = (name: string) => path.join(tools, "node_modules", name);

/** How long a scan may take, in milliseconds. */
const scanTimeoutMs = 60_000;

type Certificate = { private: string; cert: string };

type ScannedTest = {
  result: string;
  pass: boolean;
  scoreModifier: number;
};

export type Scan = {
  scan: { grade: string; score: number; testsPassed: number; testsQuantity: number };
  tests: Record<string, ScannedTest>;
};

/** Installs the scanner beside the measurements, where it isn't there yet. */
export async function installScanner(say: (line: string) => void): Promise<void> {
  mkdirSync(tools, { recursive: true });
  // Scripts stay out: one builds a database driver for the scanner's service, one fetches browsers' HSTS preload list.
  const options = ["--ignore-scripts", "--omit=dev", "--no-package-lock", "--silent"];
  for (const { name, version } of [scanner, certificates]) {
    if (existsSync(installed(name))) continue;
    say(`installing ${name} ${version}`);
    await run("npm", ["install", "--prefix", tools, ...options, `${name}@${version}`]);
  }
  // No address of this machine is on the preload list, so an empty one says the same of it.
  const preloadList = path.join(installed(scanner.name), "conf/hsts-preload.json");
  if (!existsSync(preloadList)) writeFileSync(preloadList, "{}\n");
}

/** A certificate for localhost, and the file in which the scanner finds it as one to trust. */
export async function makeCertificate(): Promise<Certificate & { file: string }> {
  const { generate } = createRequire(path.join(tools, "from-here.js"))(certificates.name);
  const made: Certificate = await generate([{ name: "commonName", value: "localhost" }], {
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] },
    ],
  });
  const file = path.join(tools, "certificate.pem");
  writeFileSync(file, made.cert);
  return { ...made, file };
}

/** Runs the scanner's own command on `host` (with a port, and a path where it isn't `/`), in a process of its own. */
export async function scanHost(host: string, certificateFile: string): Promise<Scan> {
  const command = path.join(installed(scanner.name), "src/scan.js");
  const { stdout } = await run(process.execPath, [command, host], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: certificateFile },
    timeout: scanTimeoutMs,
  });
  return JSON.parse(stdout) as Scan;
}

/** What the report calls the rules. */
export const scannerName = `${scanner.name} ${scanner.version}`;
