import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { getMimeType } from "hono/utils/mime";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { headersOfFile } from "../document/security-headers.ts";
import { type Encoding, encodings } from "../page-cache/cached-response.ts";
import { createVariant, type Variant } from "../page-cache/write-variant.ts";
import { compressedEndings } from "./compressed-endings.ts";

/** Names that the build gave a hash of the content, so that a name never means other bytes. */
const hashedFile = /^\/assets\/[^/]+-[\w-]{6,8}\.\w+$/;

const forAYear = "public, max-age=31536000, immutable";
const forAnHour = "public, max-age=3600";

/** A file in the encodings that the build made of it; where one is missing, as it is. */
export type StaticFile = { variants: Record<Encoding, Variant> };

/**
 * Reads the files of a folder, which are few and small, into memory, by the path they are asked for with. Compressed
 * forms that the build left beside a file are its variants and no files of their own.
 */
export function readStaticFiles(
  folder: string,
  settings: Pick<SiteSettings, "url">,
): ReadonlyMap<string, StaticFile> {
  const contents = readContents(folder);
  const files = new Map<string, StaticFile>();
  for (const [name, body] of contents) {
    if (isCompressedForm(name, contents)) continue;
    const hash = createHash("sha256").update(body).digest("base64url").slice(0, 22);
    const contentType = getMimeType(name) ?? "application/octet-stream";
    const shared: [string, string][] = [
      ["content-type", contentType],
      ["cache-control", hashedFile.test(name) ? forAYear : forAnHour],
      ["accept-ranges", "bytes"],
      ...headersOfFile(settings, contentType),
    ];
    const identity = createVariant({ shared, etag: `"${hash}"`, encoding: null, body });
    const variant = (encoding: Encoding): Variant => {
      const bytes = encoding !== "identity" && contents.get(name + compressedEndings[encoding]);
      if (!bytes) return identity;
      return createVariant({ shared, etag: `"${hash}-${encoding}"`, encoding, body: bytes });
    };
    const variants = Object.fromEntries(encodings.map((encoding) => [encoding, variant(encoding)]));
    files.set(name, { variants: variants as StaticFile["variants"] });
  }
  return files;
}

function readContents(folder: string): Map<string, Buffer> {
  const contents = new Map<string, Buffer>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file).replaceAll(path.sep, "/");
    // What the build leaves in dot folders is for tools.
    if (!entry.isFile() || /(^|\/)\.(?!well-known\/)/.test(name)) continue;
    contents.set(`/${name}`, readFileSync(file));
  }
  return contents;
}

function isCompressedForm(name: string, contents: ReadonlyMap<string, Buffer>): boolean {
  return Object.values(compressedEndings).some(
    (ending) => name.endsWith(ending) && contents.has(name.slice(0, -ending.length)),
  );
}
