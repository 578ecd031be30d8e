import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const cwd = join(import.meta.dirname, "..", "..");

/**
 * Runs a module's text in a Node process of its own, from the project's folder, and gives what it printed. `input` is
 * what the text reads as the constant `input`. Rejects with the process's errors where it fails.
 */
export async function runScript(text: string, input: unknown): Promise<string> {
  const source = `const input = ${JSON.stringify(input)};\n${text}`;
  const flags = ["--input-type=module-typescript", "--eval", source];
  return (await promisify(execFile)(process.execPath, flags, { cwd })).stdout;
}
