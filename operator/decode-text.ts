import { isUtf8 } from "node:buffer";

type Fault = { line: number; message: string; isBinary: boolean };

/** The text of a file in UTF-8 or, as Windows' programs save it, UTF-16; U+FFFD stands for what is neither. */
export function decodeText(bytes: Buffer): { text: string; fault: Fault | null } {
  const encoding = encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  const isBinary = encoding === "utf-8" && text.includes("\0");
  if (!isBinary && (encoding !== "utf-8" || isUtf8(bytes))) return { text, fault: null };
  const line = text.slice(0, text.indexOf(isBinary ? "\0" : "\uFFFD")).split("\n").length;
  const what = isBinary ? "is not text (it holds a zero byte)" : "is not UTF-8";
  const message = `${what}. Save it as text in UTF-8 and try again.`;
  return { text, fault: { line, message, isBinary } };
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
