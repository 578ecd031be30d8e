import { spawn } from "node:child_process";
import { join } from "node:path";

const projectFolder = join(import.meta.dirname, "..", "..");

/**
 * Runs a module's text in a Node process of its own, from the project's folder, and gives what it printed. `input` is
 * what the text reads as the constant `input`. Throws with the process's errors where it fails.
 */
export async function runScript(text: string, input: unknown): Promise<string> {
  const source = `const input = ${JSON.stringify(input)};\n${text}`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", source], {
    cwd: projectFolder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = collect(child.stdout);
  const errors = collect(child.stderr);
  const end = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(signal ?? code));
  });
  if (end !== 0) {
    throw new Error(`The script ended with ${end}:\n${await errors}`);
  }
  return await printed;
}

async function collect(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) {
    text += chunk;
  }
  return text;
}
