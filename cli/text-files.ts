import { createReadStream } from "node:fs";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import { formatBytes } from "#content/amounts.ts";
import { describeCauses, errorCode } from "#db/describe-causes.ts";
import { findTargetFault, writeWholeFile } from "#db/write-whole-file.ts";
import { decodeText as readableText } from "#operator/decode-text.ts";
import { type CommandContext, CommandError, failure, problemsError } from "./command-context.ts";

/** `name` is what messages call it: the path as given, or `standard input` for `-`. */
export type GivenFile = { name: string; bytes: Buffer };

type FileContext = Pick<CommandContext, "io" | "resolvePath">;

/**
 * Reads a whole text file, or standard input for `-`. Ends the command where it can't be read, is over the limit
 * (bytes) or is not text, and names the line where that is so.
 */
export async function readTextFile(
  context: FileContext,
  path: string,
  limits: { maxBytes: number },
): Promise<{ name: string; text: string }> {
  const { name, bytes } = await readBytes(context, path, limits);
  return { name, text: decodeText(name, bytes) };
}

export async function readBytes(
  context: FileContext,
  path: string,
  { maxBytes }: { maxBytes: number },
): Promise<GivenFile> {
  const name = path === "-" ? "standard input" : path;
  const bytes =
    path === "-"
      ? await readStream(context.io.stdin, maxBytes)
      : await readPath(path, context.resolvePath(path), maxBytes);
  if (bytes.byteLength > maxBytes) {
    throw new CommandError(`${name}: larger than the limit of ${formatBytes(maxBytes)}.`);
  }
  return { name, bytes };
}

async function readPath(name: string, path: string, maxBytes: number): Promise<Buffer> {
  try {
    // One byte over is enough to know; a file that only grows, such as a device, ends here too.
    return await readStream(createReadStream(path, { end: maxBytes }), maxBytes);
  } catch (error) {
    const why = readFailures[errorCode(error)] ?? `can't be read: ${describeCauses(error)}`;
    throw new CommandError(`${name}: ${why}`);
  }
}

const readFailures: Record<string, string> = {
  ENOENT: "no such file.",
  EISDIR: "is a folder, not a file.",
  EACCES: "can't be read: permission denied.",
};

async function readStream(stream: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (size > maxBytes) break;
  }
  return Buffer.concat(chunks);
}

export function decodeText(name: string, bytes: Buffer): string {
  const { text, fault } = readableText(bytes);
  if (!fault) return text;
  throw problemsError([{ file: name, line: fault.line, message: fault.message }], "");
}

/**
 * Writes a file whole or not at all, readable by its owner alone. Ends the command where the file is there already,
 * unless `force` allows to replace it.
 */
export async function writeNewFile(
  path: string,
  content: AsyncIterable<string> | string[],
  { force = false }: { force?: boolean },
): Promise<void> {
  const fault = await findTargetFault(path, { force });
  if (fault) throw new CommandError(targetFaultWords(path, fault));
  try {
    await writeWholeFile(path, content);
  } catch (error) {
    if (error instanceof CommandError || errorCode(error) === "") throw error;
    throw failure(`${path} can't be written: ${describeCauses(error)}`);
  }
}

export function targetFaultWords(path: string, fault: "no_folder" | "file_exists"): string {
  return fault === "no_folder"
    ? `There is no folder ${dirname(path)}. Make it first, or choose another place.`
    : `${path} is there already. Choose another name, or add --force.`;
}
