import { spawn } from "node:child_process";
import { once } from "node:events";

type SlowAttack = {
  url: string;
  /** What is slow, in the tool's own words. */
  options: string[];
  connections: number;
  /** Opened in a second. */
  rate: number;
  seconds: number;
};

/** Seconds after which the tool's own probe counts as unanswered. */
const probeTimeoutSeconds = 5;

/** Runs Debian's slowhttptest to its end. Rejects where it opened no connection. */
export async function runSlowHttpTest(attack: SlowAttack): Promise<void> {
  const parameters = [
    ...attack.options,
    ...["-c", String(attack.connections), "-r", String(attack.rate), "-l", String(attack.seconds)],
    ...["-p", String(probeTimeoutSeconds), "-u", attack.url, "-v", "1"],
  ];
  const tool = spawn("slowhttptest", parameters, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [tool.stdout, tool.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  await once(tool, "close");
  const opened = lastCount(said, "connected") + lastCount(said, "closed");
  if (opened === 0) throw new Error(`slowhttptest opened nothing:\n${said.slice(-1_000)}`);
}

/** The last figure that the tool printed of a state, without the colours around it. */
function lastCount(said: string, state: string): number {
  const plain = said.replaceAll(/\u001b\[[\d;]*m/g, "");
  const found = [...plain.matchAll(new RegExp(`${state}:\\s+(\\d+)`, "g"))].at(-1)?.[1];
  return Number(found ?? 0);
}
