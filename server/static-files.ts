import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { MiddlewareHandler } from "hono";
import { getMimeType } from "hono/utils/mime";

/** Names that the build gave a hash of the content, so that a name never means other bytes. */
const hashedFile = /^\/assets\/[^/]+-[\w-]{8}\.\w+$/;

const forAYear = "public, max-age=31536000, immutable";
const forAnHour = "public, max-age=3600";

type StaticFile = { bytes: Uint8Array<ArrayBuffer>; type: string; etag: string; caching: string };

/**
 * Serves the files of a folder, which are few and small, from memory: read once, here. Only a path that is exactly a
 * file's is answered, so nothing outside the folder can be reached. What is no file goes on to the next handler, except
 * under `/assets/`, where an old page that asks for a replaced script gets a short 404 and not a rendered page.
 */
export function staticFiles(folder: string): MiddlewareHandler {
  const files = readFiles(folder);
  return async (c, next) => {
    const file = files.get(c.req.path);
    if (file && (c.req.method === "GET" || c.req.method === "HEAD")) {
      c.header("ETag", file.etag);
      c.header("Cache-Control", file.caching);
      if (matches(c.req.header("If-None-Match"), file.etag)) return c.body(null, 304);
      c.header("Content-Type", file.type);
      c.header("Content-Length", String(file.bytes.byteLength));
      return c.body(file.bytes);
    }
    if (!c.req.path.startsWith("/assets/")) return next();
    c.header("Cache-Control", "no-store");
    return c.text("There is no such file.\n", 404);
  };
}

function readFiles(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file).replaceAll(path.sep, "/");
    // What the build leaves in dot folders is for tools.
    if (!entry.isFile() || /(^|\/)\.(?!well-known\/)/.test(name)) continue;
    const bytes = new Uint8Array(readFileSync(file));
    files.set(`/${name}`, {
      bytes,
      type: getMimeType(name) ?? "application/octet-stream",
      etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
      caching: hashedFile.test(`/${name}`) ? forAYear : forAnHour,
    });
  }
  return files;
}

// Compared weakly, as RFC 9110 has it for If-None-Match: compression on the way makes a strong tag a weak one.
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? "")
    .split(",")
    .some((candidate) => candidate.trim().replace(/^W\//, "") === etag);
}
