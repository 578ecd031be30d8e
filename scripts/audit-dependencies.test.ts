import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { auditDependencies, describeAudit } from "./audit-dependencies.ts";

const packageName = "unsound-package";

function advisory(severity: string) {
  return {
    [packageName]: [
      {
        id: 1,
        url: "https://advisories.example/1",
        title: "Runs what it is sent",
        severity,
        vulnerable_versions: "<2.0.0",
        cwe: [],
        cvss: { score: 9, vectorString: null },
      },
    ],
  };
}

/** A registry that knows one package and the given advisories; a number is the status that it refuses with. */
async function registry(advisories: object | number): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === "POST") {
      if (typeof advisories === "number") response.writeHead(advisories).end();
      else response.end(JSON.stringify(advisories));
      return;
    }
    const versions = { "1.0.0": { name: packageName, version: "1.0.0", dist: {} } };
    response.end(JSON.stringify({ name: packageName, "dist-tags": { latest: "1.0.0" }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A project that depends on the package in production, or for its development alone. */
function project(dev: boolean): string {
  const folder = mkdtempSync(path.join(tmpdir(), "audit-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = { name: "site", version: "1.0.0" };
  const needs = { [dev ? "devDependencies" : "dependencies"]: { [packageName]: "1.0.0" } };
  const locked = { version: "1.0.0", integrity: "sha512-AAAA", ...(dev ? { dev } : {}) };
  const packages = {
    "": { ...root, ...needs },
    [`node_modules/${packageName}`]: locked,
  };
  const lock = { ...root, lockfileVersion: 3, requires: true, packages };
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ ...root, ...needs }));
  writeFileSync(path.join(folder, "package-lock.json"), JSON.stringify(lock));
  return folder;
}

async function audit(advisories: object | number, { dev = false } = {}) {
  const npm_config_cache = mkdtempSync(path.join(tmpdir(), "audit-cache-"));
  onTestFinished(() => rmSync(npm_config_cache, { recursive: true, force: true }));
  const npm_config_registry = await registry(advisories);
  return await auditDependencies(project(dev), {
    ...process.env,
    npm_config_cache,
    npm_config_registry,
  });
}

test.each(["high", "critical"])("a %s finding in production fails, and is named", async (level) => {
  const found = await audit(advisory(level));
  expect(found).toMatchObject({
    kind: "found",
    findings: [{ name: packageName, severity: level }],
  });
  expect(describeAudit(found)).toContain(`${level}  ${packageName}  Runs what it is sent`);
});

test("a moderate finding is told of, and one of the tools of development is not asked about", async () => {
  const told = await audit(advisory("moderate"));
  expect(told.kind).toBe("clean");
  expect(describeAudit(told)).toContain(`moderate  ${packageName}`);
  expect(await audit(advisory("critical"), { dev: true })).toEqual({ kind: "clean", findings: [] });
});

test("a registry that doesn't answer such questions proves nothing, and that is said", async () => {
  const unanswered = await audit(405);
  expect(unanswered).toEqual({ kind: "unanswered", reason: "it answered 405" });
  expect(describeAudit(unanswered)).toMatch(/^NOT CHECKED: /);
  const unreachable = await auditDependencies(project(false), {
    ...process.env,
    npm_config_registry: "http://127.0.0.1:9/",
  });
  expect(unreachable.kind).toBe("unanswered");
  expect(describeAudit(unreachable)).not.toContain("127.0.0.1");
});

test("everything that npm may fetch is pinned with its hash, for other machines too", () => {
  type Locked = { integrity?: string; inBundle?: boolean };
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const unpinned = Object.entries<Locked>(lock.packages)
    .filter(([place, { integrity, inBundle }]) => place && !integrity && !inBundle)
    .map(([place]) => place);
  expect(unpinned).toEqual([]);
});
