import { createHash } from "node:crypto";
import type { ReadArchive } from "#newsletter/archive-reads.ts";
import { readArchiveVersion } from "#newsletter/archive-version.ts";

/** Longest `If-None-Match` that is looked at, in characters: some twenty tags of ours. */
const askedMaxLength = 1_024;

/** What, beside the rows, decides what an answer says. */
const headersThatMatter = ["accept", "accept-profile", "prefer", "range"];

/**
 * The tag of an answer that says as much as any change to the archive can change (RFC 9110, section 8.8.3). It costs one
 * small row. Weak, since it says nothing of how the bytes are encoded.
 */
export async function tagOfArchive(read: ReadArchive, request: Request): Promise<string> {
  const version = await read(readArchiveVersion);
  return tagOf([
    version,
    new URL(request.url).search,
    ...headersThatMatter.map((name) => request.headers.get(name) ?? ""),
  ]);
}

/** The tag of what an answer says: the same after a change to other issues. */
export function tagOfText(text: string, headers: Record<string, string>): string {
  return tagOf([...Object.values(headers), text]);
}

/** Whether the client has what the tag stands for. */
export function hasTag(asked: string | null, tag: string): boolean {
  if (asked === null || asked.length > askedMaxLength) return false;
  return asked.split(",").some((each) => each.trim() === tag);
}

function tagOf(parts: string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return `W/"${hash.digest("base64url").slice(0, 22)}"`;
}
