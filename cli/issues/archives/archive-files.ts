import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { describeCauses } from "#db/describe-causes.ts";
import { CommandError } from "../../command-error.ts";

/** Largest file of an archive that is read, in bytes: unpacked, whatever the packed size says. */
const fileMaxBytes = 50_000_000;
/** More files than the longest archive has. */
const filesMax = 200_000;

/** The files of an archive, in a folder or packed: read one at a time, so that memory holds one. */
export type ArchiveFiles = {
  /** Paths below the archive's own folder, with slashes. */
  names: ReadonlySet<string>;
  /** Text in UTF-8; null where it is too large or isn't that. */
  read(name: string): Promise<string | null>;
  close(): Promise<void>;
};

/** Opens a folder or a zip file that has a file of the given name, at the top or in its one folder; null where it hasn't. */
export async function openArchiveFiles(file: string, marker: string): Promise<ArchiveFiles | null> {
  const files = (await stat(file)).isDirectory() ? await openFolder(file) : await openZip(file);
  const at = [...files.names].find((name) => name === marker || name.endsWith(`/${marker}`));
  if (at === undefined) {
    await files.close();
    return null;
  }
  const root = at.slice(0, at.length - marker.length);
  const names = [...files.names].filter((name) => name.startsWith(root));
  return {
    ...files,
    names: new Set(names.map((name) => name.slice(root.length))),
    read: (name) => files.read(root + name),
  };
}

async function openFolder(folder: string): Promise<ArchiveFiles> {
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

async function openZip(file: string): Promise<ArchiveFiles> {
  const zip = await openPromise(file, { autoClose: false }).catch((error: unknown) => {
    throw new CommandError(`${file}: is not a zip file that can be read: ${describeCauses(error)}`);
  });
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
    throw new CommandError(`${file}: is not a zip file that can be read: ${describeCauses(error)}`);
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
    const stream: Readable = await zip.openReadStreamPromise(entry);
    const chunks: Buffer[] = [];
    // No more than it says comes: the library ends a stream that is longer.
    for await (const chunk of stream) chunks.push(chunk);
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
