import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

let version: string | undefined;

/**
 * Names the rules that bodies are prepared by: a hash of this folder's sources and of the versions of the libraries that
 * they use. A body that was prepared by others is prepared anew.
 */
function rulesVersion(): string {
  version ??= readRules();
  return version;
}

function readRules(): string {
  const folder = import.meta.dirname;
  const hash = createHash("sha256");
  for (const file of readdirSync(folder).toSorted()) {
    if (/\.ts$/.test(file) && !/\.test\.ts$/.test(file))
      hash.update(readFileSync(path.join(folder, file)));
  }
  const manifest = readFileSync(path.join(folder, "..", "package.json"), "utf8");
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  for (const name of ["parse5", "sanitize-html"]) hash.update(`${name}@${dependencies[name]}\n`);
  return hash.digest("base64url").slice(0, 16);
}

/** Names a prepared body: by the rules, and by the body as it is stored. */
export function preparedBodyKey(contentMarkdown: string): string {
  return rulesVersion() + createHash("sha256").update(contentMarkdown).digest("base64url");
}

/** Whether a body of that name was prepared by the rules as they are now. */
export function isByCurrentRules(bodyKey: string): boolean {
  return bodyKey.startsWith(rulesVersion());
}
