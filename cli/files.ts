import { createReadStream } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "commander";
import { amount, formatBytes } from "#content/amounts.ts";
import { describeCauses, errorCode } from "#db/describe-causes.ts";
import type { Db } from "#db/tables.ts";
import { findTargetFault, writeWholeFile } from "#db/write-whole-file.ts";
import { readUtf8 } from "#newsletter/text-files.ts";
import type { Export } from "#operator/export.ts";
import { writeRecords } from "#operator/records.ts";
import { type CommandContext, CommandError, failure, problemsError } from "./command.ts";

/**
 * Reads a whole file, or standard input for `-`; ends the command where it can't be read or is over the limit. `name` is
 * what messages call it.
 */
export async function readBytes(
  context: CommandContext,
  path: string,
  { maxBytes }: { maxBytes: number },
): Promise<{ name: string; bytes: Buffer }> {
  const name = path === "-" ? "standard input" : path;
  const file = context.resolvePath(path);
  // One byte over is enough to know; a file that only grows, such as a device, ends here too.
  const stream = path === "-" ? context.io.stdin : createReadStream(file, { end: maxBytes });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      if (size > maxBytes) break;
    }
  } catch (error) {
    const why = readFailures[errorCode(error)] ?? `can't be read: ${describeCauses(error)}`;
    throw new CommandError(`${name}: ${why}`);
  }
  if (size > maxBytes)
    throw new CommandError(`${name}: larger than the limit of ${formatBytes(maxBytes)}.`);
  return { name, bytes: Buffer.concat(chunks) };
}

const readFailures: Record<string, string> = {
  ENOENT: "no such file.",
  EISDIR: "is a folder, not a file.",
  EACCES: "can't be read: permission denied.",
};

/** The same of text; names the line where it is none. */
export async function readTextFile(
  context: CommandContext,
  path: string,
  limits: { maxBytes: number },
): Promise<{ name: string; text: string }> {
  const file = await readBytes(context, path, limits);
  const read = readUtf8(file);
  if ("message" in read) throw problemsError([read], "");
  return { name: file.name, text: read.text };
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

export type ExportOptions = { output?: string; force?: boolean };

export function withExportOptions(command: Command): Command {
  return command
    .option("-o, --output <file>", "write to a new file, as JSON where its name ends in .json")
    .option("--force", "let --output replace a file that is there");
}

/** Writes an export as CSV, or as JSON for `--json`, to standard output or to `--output`. */
export async function exportRecords(
  context: CommandContext,
  read: (db: Db) => Export,
  { output, force }: ExportOptions,
) {
  let count = 0;
  async function* written(format: "csv" | "json") {
    const { columns, records } = read((await context.store()).db);
    async function* counted() {
      for await (const record of records) {
        count += 1;
        yield record;
      }
    }
    yield* writeRecords(counted(), columns, format);
  }
  if (output === undefined) return { stream: written(context.json ? "json" : "csv") };
  const format = /\.json$/i.test(output) ? "json" : "csv";
  await writeNewFile(context.resolvePath(output), written(format), { force });
  return {
    json: { output, format, exported: count },
    text: `Wrote ${amount(count, "row")} to ${output} (${format.toUpperCase()}). It holds personal information; only your user can read it.`,
  };
}
