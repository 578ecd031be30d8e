import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const projectRoot = path.join(import.meta.dirname, "..");

/**
 * Starts a program of Node's from the project's folder, and waits until what it prints has the pattern. Rejects with all
 * that it said where it ends before. `hear` is given both outputs as they come.
 */
export async function startProgram(
  words: string[],
  env: Record<string, string>,
  pattern: RegExp,
  hear: (text: string) => void = () => {},
) {
  const child = spawn(process.execPath, words, {
    cwd: projectRoot,
    env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let said = "";
  const found = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        hear(text);
        const match = pattern.exec(said);
        if (match) resolve(match[1] ?? match[0]);
      });
    }
  });
  const match = await Promise.race([found, once(child, "close").then(() => null)]);
  const end = child.signalCode ?? child.exitCode;
  if (match === null) throw new Error(`${words.join(" ")} did not start (${end}):\n${said}`);
  return { child, match };
}
