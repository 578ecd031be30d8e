import { isUtf8 } from "node:buffer";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { describeCauses } from "#db/describe-causes.ts";
import { pictureTypeOf } from "#newsletter/pictures.ts";

// What the operator gives as a file: text in one of its encodings, a zip file, or something else by mistake.

type FileKind = keyof typeof signs;

const signs = {
  zip: /^PK\u0003\u0004/,
  "an Office document": /^\u00d0\u00cf\u0011\u00e0/,
  packed: /^(?:\u001f\u008b|7z|Rar!)/,
  "a PDF": /^%PDF-/,
  "a SQLite database": /^SQLite format 3/,
};

/** By its first bytes; null for text, and for what isn't known. */
export function fileKind(bytes: Buffer): FileKind | `a picture (${string})` | null {
  const picture = pictureTypeOf(bytes);
  if (picture) return `a picture (${picture.slice("image/".length).toUpperCase()})`;
  const start = bytes.toString("latin1", 0, 16);
  return (Object.keys(signs) as FileKind[]).find((kind) => signs[kind].test(start)) ?? null;
}

/** `line` is null where the whole file is something else than text. */
type Fault = { line: number | null; message: string; isBinary: boolean };

/** The text of a file in UTF-8 or, as Windows' programs save it, UTF-16; U+FFFD stands for what is neither. */
export function decodeText(bytes: Buffer): { text: string; fault: Fault | null } {
  const encoding = encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  const hasZero = encoding === "utf-8" && text.includes("\0");
  if (!hasZero && (encoding !== "utf-8" || isUtf8(bytes))) return { text, fault: null };
  const kind = fileKind(bytes);
  if (kind !== null) {
    const message = `seems to be ${kind.startsWith("a") ? kind : `a ${kind} file`}, and no text.`;
    return { text, fault: { line: null, message, isBinary: true } };
  }
  const line = text.slice(0, text.indexOf(hasZero ? "\0" : "\uFFFD")).split("\n").length;
  const what = hasZero ? "is not text (it holds a zero byte)" : "is not UTF-8";
  const message = `${what}. Save it as text in UTF-8 and try again.`;
  return { text, fault: { line, message, isBinary: hasZero } };
}

function encodingOf(bytes: Buffer): "utf-8" | "utf-16le" | "utf-16be" {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  // Without a mark: in the Latin of a heading line, each second byte of UTF-16 is zero.
  const start = [...bytes.subarray(0, 16)];
  const isZero = (odd: number) =>
    start.length > 3 && start.every((byte, at) => at % 2 !== odd || byte === 0);
  if (isZero(1) && !start.every((byte) => byte === 0)) return "utf-16le";
  return isZero(0) && !start.every((byte) => byte === 0) ? "utf-16be" : "utf-8";
}

/** More files than the longest export has. */
const filesMax = 200_000;

export type ZippedFiles = {
  names: string[];
  /** The unpacked bytes; null where there is no such file, or it is larger than `maxBytes` or damaged. */
  read(name: string, maxBytes: number): Promise<Buffer | null>;
};

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
