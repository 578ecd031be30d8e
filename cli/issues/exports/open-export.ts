import { open, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { describeCauses } from "#db/describe-causes.ts";
import type { CommandContext } from "../../command-context.ts";
import { CommandError } from "../../command-error.ts";
import { readTextFile } from "../../text-files.ts";
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

export type OpenExport = PostExport & { close(): Promise<void> };

/** Recognises Substack's export, packed or unpacked, and Ghost's. Null where the file is neither. */
export async function openExport(
  context: Pick<CommandContext, "io" | "resolvePath">,
  name: string,
  options: ExportOptions,
): Promise<OpenExport | null> {
  if (name === "-") return null;
  const file = context.resolvePath(name);
  const kind = await kindOf(file);
  if (kind === "other") return null;
  if (kind === "object") {
    const { text } = await readTextFile(context, name, { maxBytes: importFileMaxBytes });
    const data = findGhostData(text);
    if (data === null) return null;
    return { ...readGhost({ name, text, data }, options), async close() {} };
  }
  const files = await openFiles(kind === "folder" ? await openFolder(file) : await openZip(file));
  if (files === null) {
    throw new CommandError(`${name}: holds no ${substackList}, as Substack's export does.`);
  }
  return { ...(await readSubstack(name, files, options)), close: files.close };
}

/** A folder or a zip file, by its first bytes; JSON whose outermost value is an object; or anything else. */
async function kindOf(file: string): Promise<"folder" | "zip" | "object" | "other"> {
  const found = await stat(file).catch(() => null);
  if (found === null) return "other";
  if (found.isDirectory()) return "folder";
  await using opened = await open(file);
  const { buffer, bytesRead } = await opened.read(Buffer.alloc(64), 0, 64, 0);
  const start = buffer.subarray(0, bytesRead).toString("latin1");
  if (start.startsWith("PK\u0003\u0004")) return "zip";
  return /^(?:\u00ef\u00bb\u00bf)?\s*\{/.test(start) ? "object" : "other";
}

/** Largest file of an export that is read, in bytes: unpacked, whatever the packed size says. */
const fileMaxBytes = 50_000_000;
/** More files than the longest export has. */
const filesMax = 200_000;

/** The files beside Substack's list, which is at the top or in the one folder that was packed. */
async function openFiles(files: ExportFiles): Promise<ExportFiles | null> {
  const list = [...files.names].find(
    (name) => name === substackList || name.endsWith(`/${substackList}`),
  );
  if (list === undefined) {
    await files.close();
    return null;
  }
  const root = list.slice(0, list.length - substackList.length);
  const names = [...files.names].filter((name) => name.startsWith(root));
  return {
    ...files,
    names: new Set(names.map((name) => name.slice(root.length))),
    read: (name) => files.read(root + name),
  };
}

async function openFolder(folder: string): Promise<ExportFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((name) => name.split(path.sep).join("/"));
  return {
    names: new Set(names),
    async read(name) {
      const at = path.join(folder, name);
      return (await stat(at)).size > fileMaxBytes ? null : decode(await readFile(at));
    },
    async close() {},
  };
}

async function openZip(file: string): Promise<ExportFiles> {
  const refuse = (error: unknown) => {
    throw new CommandError(`${file}: is not a zip file that can be read: ${describeCauses(error)}`);
  };
  const zip = await openPromise(file, { autoClose: false }).catch(refuse);
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      // What a Mac packs beside each file holds nothing of it.
      if (!entry.fileName.startsWith("__MACOSX/")) entries.set(entry.fileName, entry);
      if (entries.size > filesMax) throw new CommandError(`${file}: holds too many files.`);
    }
  } catch (error) {
    zip.close();
    if (error instanceof CommandError) throw error;
    refuse(error);
  }
  return {
    names: new Set(entries.keys()),
    async read(name) {
      const entry = entries.get(name);
      return entry ? await unpack(zip, entry) : null;
    },
    async close() {
      zip.close();
    },
  };
}

async function unpack(zip: ZipFile, entry: Entry): Promise<string | null> {
  if (entry.uncompressedSize > fileMaxBytes) return null;
  try {
    const chunks: Buffer[] = [];
    // The library ends a stream that is longer than the entry says.
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
    return decode(Buffer.concat(chunks));
  } catch {
    return null;
  }
}

function decode(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
