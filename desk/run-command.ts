import { Writable } from "node:stream";
import { runSite } from "#cli/run-site.ts";
import type { Desk } from "./desk-context.ts";

/** Runs commands for the pages that have no function to call yet. */
export function commandRunner(
  environment: Desk["environment"],
): Pick<Desk, "runCommand" | "followCommand" | "exportFile"> {
  async function printed(words: string[], progress?: (done: number, total: number) => void) {
    let text = "";
    const stdout = new Writable({
      write(chunk, _encoding, done) {
        text += chunk;
        done();
      },
    });
    const io = { stdin: process.stdin, stdout, stderr: stdout, environment, progress };
    return { exitCode: await runSite(words, io), text };
  }
  const followCommand: Desk["followCommand"] = async (progress, ...words) => {
    const { exitCode, text } = await printed([...words, "--json"], progress);
    const json = JSON.parse(text);
    return { exitCode, json, refusal: json.error?.message ?? null };
  };
  return {
    followCommand,
    runCommand: (...words) => followCommand(undefined, ...words),
    async exportFile(...words) {
      const { exitCode, text } = await printed(words);
      if (exitCode !== 0) throw new Error(text);
      return text;
    },
  };
}
