import { open, stat } from "node:fs/promises";
import type { CommandContext } from "../../command-context.ts";
import { CommandError } from "../../command-error.ts";
import { readTextFile } from "../../text-files.ts";
import { importFileMaxBytes } from "../issue-limits.ts";
import { openArchiveFiles } from "./archive-files.ts";
import type { Archive, ArchiveOptions } from "./archived-post.ts";
import { findGhostData, readGhost } from "./read-ghost.ts";
import { readSubstack, substackList } from "./read-substack.ts";

export type OpenArchive = Archive & { close(): Promise<void> };

/**
 * Recognises another program's archive: Substack's export, packed or unpacked, and Ghost's. Null where the file is
 * neither, and rows of the table then.
 */
export async function openArchive(
  context: Pick<CommandContext, "io" | "resolvePath">,
  name: string,
  options: ArchiveOptions,
): Promise<OpenArchive | null> {
  if (name === "-") return null;
  const file = context.resolvePath(name);
  const kind = await kindOf(file);
  if (kind === "other") return null;
  if (kind === "files") return await openSubstack(name, file, options);
  const { text } = await readTextFile(context, name, { maxBytes: importFileMaxBytes });
  const data = findGhostData(text);
  if (data === null) return null;
  return { ...readGhost({ name, text, data }, options), async close() {} };
}

async function openSubstack(
  name: string,
  file: string,
  options: ArchiveOptions,
): Promise<OpenArchive> {
  const files = await openArchiveFiles(file, substackList);
  if (files === null) {
    throw new CommandError(`${name}: holds no ${substackList}, as Substack's export does.`);
  }
  return { ...(await readSubstack(name, files, options)), close: files.close };
}

/** A folder or a zip file, by its first bytes; JSON whose outermost value is an object; or anything else. */
async function kindOf(file: string): Promise<"files" | "object" | "other"> {
  const found = await stat(file).catch(() => null);
  if (found === null) return "other";
  if (found.isDirectory()) return "files";
  await using opened = await open(file);
  const { buffer, bytesRead } = await opened.read(Buffer.alloc(64), 0, 64, 0);
  const start = buffer.subarray(0, bytesRead).toString("latin1");
  if (start.startsWith("PK\u0003\u0004")) return "files";
  return /^(?:\u00ef\u00bb\u00bf)?\s*\{/.test(start) ? "object" : "other";
}
