import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { getMimeType } from "hono/utils/mime";
import type { SiteSettings } from "#content/site-settings.ts";
import type { LogoFile } from "#settings/setting-kinds.ts";
import { logoPath, logoPolicy } from "#settings/settings.ts";
import { securityHeaders } from "./document.ts";
import { type StoredAnswer, store } from "./page-cache.ts";

/** Hashed names never change their bytes. */
const hashedName = /^\/assets\/[^/]+-[\w-]{6,8}\.\w+$/;

/** public/ has the first, which ends a former site's worker; the other is as usual a name for one. */
const serviceWorkers = ["/sw.js", "/service-worker.js"];

/** In memory, so that a new build doesn't disturb a running site. */
export function readFiles(
  folder: string,
  settings: SiteSettings,
  logo: LogoFile | null = null,
): Map<string, StoredAnswer> {
  const contents = new Map<string, Buffer<ArrayBuffer>>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file).replaceAll(path.sep, "/");
    if (entry.isFile() && !/(?:^|\/)\.(?!well-known\/)/.test(name)) {
      contents.set(`/${name}`, readFileSync(file));
    }
  }
  if (logo) contents.set(logoPath(logo.type), logo.bytes);
  const lastWorker = contents.get("/sw.js");
  if (lastWorker) for (const name of serviceWorkers) contents.set(name, lastWorker);
  const files = new Map<string, StoredAnswer>();
  for (const [name, body] of contents) {
    const isCompressedForm = /\.(?:br|gz)$/.test(name) && contents.has(name.replace(/\.\w+$/, ""));
    if (isCompressedForm) continue;
    const contentType = getMimeType(name) ?? "application/octet-stream";
    const headers = {
      "content-type": contentType,
      "cache-control": cachingOf(name),
      ...securityHeaders(settings),
      ...(contentType.startsWith("image/") && { "cross-origin-resource-policy": "cross-origin" }),
      ...(name === settings.logo && logoPolicy),
    };
    const [br, gzip] = [contents.get(`${name}.br`), contents.get(`${name}.gz`)];
    files.set(name, store({ status: 200, headers, body, br, gzip }));
  }
  return files;
}

function cachingOf(name: string): string {
  if (serviceWorkers.includes(name)) return "no-store";
  return hashedName.test(name) ? "public, max-age=31536000, immutable" : "public, max-age=3600";
}
