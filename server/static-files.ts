import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { getMimeType } from "hono/utils/mime";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { securityHeaders } from "./document/security-headers.ts";
import { type StoredAnswer, storeFile } from "./stored-answer.ts";

/** A name with a hash of its content in it, so its bytes never change. */
const hashedName = /^\/assets\/[^/]+-[\w-]{6,8}\.\w+$/;
const forAYear = "public, max-age=31536000, immutable";
const forAnHour = "public, max-age=3600";

/** The built files by path, in memory so that a new build doesn't disturb a running site. */
export function readFiles(folder: string, settings: SiteSettings): Map<string, StoredAnswer> {
  const contents = new Map<string, Buffer<ArrayBuffer>>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file).replaceAll(path.sep, "/");
    // Dot folders are for tools.
    if (entry.isFile() && !/(?:^|\/)\.(?!well-known\/)/.test(name)) {
      contents.set(`/${name}`, readFileSync(file));
    }
  }
  const files = new Map<string, StoredAnswer>();
  for (const [name, body] of contents) {
    const isCompressedForm = /\.(?:br|gz)$/.test(name) && contents.has(name.replace(/\.\w+$/, ""));
    if (isCompressedForm) continue;
    const contentType = getMimeType(name) ?? "application/octet-stream";
    const headers = {
      "content-type": contentType,
      "cache-control": hashedName.test(name) ? forAYear : forAnHour,
      ...securityHeaders(settings, contentType),
    };
    const compressed = { br: contents.get(`${name}.br`), gzip: contents.get(`${name}.gz`) };
    files.set(name, storeFile({ status: 200, headers, body }, compressed));
  }
  return files;
}
