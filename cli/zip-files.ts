import { type Entry, fromBufferPromise, openPromise, type ZipFile } from "yauzl";
import { describeCauses } from "#db/describe-causes.ts";
import { CommandError } from "./command-error.ts";

/** More files than the longest export has. */
const filesMax = 200_000;

export type ZippedFiles = {
  names: string[];
  /** The unpacked bytes; null where there is no such file, or it is larger than `maxBytes` or damaged. */
  read(name: string, maxBytes: number): Promise<Buffer | null>;
  close(): void;
};

/** Opens a zip file, by its path or its bytes; ends the command where it can't be read. */
export async function openZip(name: string, source: string | Buffer): Promise<ZippedFiles> {
  const entries = new Map<string, Entry>();
  let zip: ZipFile | null = null;
  try {
    zip =
      typeof source === "string"
        ? await openPromise(source, { autoClose: false })
        : await fromBufferPromise(source);
    for await (const entry of zip.eachEntry()) {
      // What a Mac packs beside each file holds nothing of it.
      if (!entry.fileName.startsWith("__MACOSX/")) entries.set(entry.fileName, entry);
      if (entries.size > filesMax) throw new Error("it holds too many files");
    }
  } catch (error) {
    zip?.close();
    const why = describeCauses(error);
    throw new CommandError(
      `${name}: this zip file can't be read: ${why}. Unpack it, and import what is in it.`,
    );
  }
  const opened = zip;
  return {
    names: [...entries.keys()],
    async read(file, maxBytes) {
      const entry = entries.get(file);
      if (entry === undefined || entry.uncompressedSize > maxBytes) return null;
      try {
        const chunks: Buffer[] = [];
        // The library ends a stream that is longer than the entry says.
        for await (const chunk of await opened.openReadStreamPromise(entry)) chunks.push(chunk);
        return Buffer.concat(chunks);
      } catch {
        return null;
      }
    },
    close: () => opened.close(),
  };
}
