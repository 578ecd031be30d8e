import { createReadStream } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import type { DiskOperation } from "./simulated-disk.ts";

/** The system calls that change files or say something to a visitor. */
const calls = "pwrite64,ftruncate,fsync,fdatasync,unlink,write,writev";

/** What runs a program under strace, which writes down the calls of its main thread, where SQLite and HTTP are. */
export function tracedBy(traceFile: string): string[] {
  // -D keeps the program the child of whoever starts it; -y names files; -xx spells every byte.
  const options = ["-D", "-y", "-xx", "-s", "100000000", "-e", `trace=${calls}`];
  return ["strace", ...options, "-o", traceFile];
}

/** The operations on files in the folder, and the acknowledgements in between, in the order in which they happened. */
export async function readTrace(traceFile: string, folder: string): Promise<DiskOperation[]> {
  const operations: DiskOperation[] = [];
  for await (const line of createInterface({ input: createReadStream(traceFile) })) {
    const [, call = "", given = "", result = ""] = /^(\w+)\((.*)\)\s+= (-?\d+)/.exec(line) ?? [];
    if (Number(result) < 0) continue;
    const operation = readCall(call, given, folder);
    if (operation) operations.push(operation);
  }
  return operations;
}

function readCall(call: string, given: string, folder: string): DiskOperation | null {
  if (call === "write" || call === "writev") return readAcknowledgement(given);
  const file =
    call === "unlink" ? bytesOf(given).toString() : fromHex(/<([^>]*)>/.exec(given)?.[1] ?? "");
  if (file !== folder && path.dirname(file) !== folder) return null;
  switch (call) {
    case "pwrite64":
      return { kind: "write", file, data: bytesOf(given), offset: lastNumber(given) };
    case "ftruncate":
      return { kind: "truncate", file, size: lastNumber(given) };
    case "unlink":
      return { kind: "unlink", file };
    default:
      return { kind: "sync", file };
  }
}

/** The head of an answer with status 200 carries the id that the visitor gave the request. */
function readAcknowledgement(given: string): DiskOperation | null {
  if (!given.includes(hexOf("HTTP/1.1 200"))) return null;
  const tracer = /x-request-id: ([\w-]+)/i.exec(bytesOf(given).toString("latin1"))?.[1];
  return tracer ? { kind: "acknowledge", tracer } : null;
}

function bytesOf(given: string): Buffer {
  const texts = [...given.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)];
  return Buffer.from(texts.map(([, text = ""]) => text.replaceAll("\\x", "")).join(""), "hex");
}

function fromHex(text: string): string {
  return Buffer.from(text.replaceAll("\\x", ""), "hex").toString();
}

function hexOf(text: string): string {
  return Array.from(text, (character) => `\\x${character.charCodeAt(0).toString(16)}`).join("");
}

function lastNumber(given: string): number {
  return Number(/(\d+)$/.exec(given)?.[1]);
}
