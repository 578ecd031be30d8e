import { open, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { CommandContext } from "../../command-context.ts";
import { CommandError } from "../../command-error.ts";
import { readTextFile } from "../../text-files.ts";
import { openZip, type ZippedFiles } from "../../zip-files.ts";
import { importFileMaxBytes } from "../issue-fields.ts";
import {
  type ExportFiles,
  type ExportOptions,
  findGhostData,
  type PostExport,
  readGhost,
  readSubstack,
  substackList,
} from "./read-exports.ts";

export type OpenExport = PostExport & { close(): void };

/** Recognises Substack's export, packed or unpacked, and Ghost's. Null where the file is neither. */
export async function openExport(
  context: Pick<CommandContext, "io" | "resolvePath">,
  name: string,
  options: ExportOptions,
): Promise<OpenExport | null> {
  const file = context.resolvePath(name);
  const found = name === "-" ? null : await stat(file).catch(() => null);
  if (found === null) return null;
  const start = found.isDirectory() ? "" : await readStart(file);
  const isZip = start.startsWith("PK\u0003\u0004");
  if (found.isDirectory() || isZip) {
    const files = isZip ? await openZip(name, file) : await openFolder(file);
    return { ...(await readSubstack(name, filesOf(name, files), options)), close: files.close };
  }
  if (!/^(?:\u00ef\u00bb\u00bf)?\s*\{/.test(start)) return null;
  const { text } = await readTextFile(context, name, { maxBytes: importFileMaxBytes });
  const data = findGhostData(text);
  return data && { ...readGhost({ name, text, data }, options), close() {} };
}

async function readStart(file: string): Promise<string> {
  await using opened = await open(file);
  const { buffer, bytesRead } = await opened.read(Buffer.alloc(64), 0, 64, 0);
  return buffer.subarray(0, bytesRead).toString("latin1");
}

async function openFolder(folder: string): Promise<ZippedFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((name) => name.split(path.sep).join("/"));
  return {
    names,
    async read(name, maxBytes) {
      const file = path.join(folder, name);
      return (await stat(file)).size > maxBytes ? null : await readFile(file);
    },
    close() {},
  };
}

/** Largest file of an export that is read, in bytes: unpacked, whatever the packed size says. */
const fileMaxBytes = 50_000_000;

/** The files beside Substack's list, which is at the top or in the one folder that was packed. */
function filesOf(name: string, files: ZippedFiles): ExportFiles {
  const list = files.names.find((file) => path.posix.basename(file) === substackList);
  if (list === undefined) {
    files.close();
    throw new CommandError(`${name}: holds no ${substackList}, as Substack's export does.`);
  }
  const root = list.slice(0, -substackList.length);
  const names = files.names.filter((file) => file.startsWith(root));
  return {
    names: new Set(names.map((file) => file.slice(root.length))),
    async read(file) {
      const bytes = await files.read(root + file, fileMaxBytes);
      try {
        const text = bytes && new TextDecoder("utf-8", { fatal: true }).decode(bytes);
        return text?.includes("\0") ? null : text;
      } catch {
        return null;
      }
    },
  };
}
