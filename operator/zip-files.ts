import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { describeCauses } from "#db/describe-causes.ts";

/** More files than the longest export has. */
const filesMax = 200_000;

export type ZippedFiles = {
  names: string[];
  /** The unpacked bytes; null where there is no such file, or it is larger than `maxBytes` or damaged. */
  read(name: string, maxBytes: number): Promise<Buffer | null>;
};

export function isZip(bytes: Buffer): boolean {
  return bytes.toString("latin1", 0, 4) === "PK\u0003\u0004";
}

export async function openZip(
  bytes: Buffer,
): Promise<({ ok: true } & ZippedFiles) | { ok: false; why: string }> {
  const entries = new Map<string, Entry>();
  let zip: ZipFile;
  try {
    zip = await fromBufferPromise(bytes);
    for await (const entry of zip.eachEntry()) {
      // A Mac packs a file of its own beside each.
      if (!entry.fileName.startsWith("__MACOSX/")) entries.set(entry.fileName, entry);
      if (entries.size > filesMax) throw new Error("it holds too many files");
    }
  } catch (error) {
    return { ok: false, why: describeCauses(error) };
  }
  return {
    ok: true,
    names: [...entries.keys()],
    async read(file, maxBytes) {
      const entry = entries.get(file);
      if (entry === undefined || entry.uncompressedSize > maxBytes) return null;
      try {
        const chunks: Buffer[] = [];
        // The library ends a stream that is longer than the entry says.
        for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
        return Buffer.concat(chunks);
      } catch {
        return null;
      }
    },
  };
}

export function unreadableZip(name: string, why: string): string {
  return `${name}: this zip file can't be read: ${why}. Unpack it, and import what is in it.`;
}
