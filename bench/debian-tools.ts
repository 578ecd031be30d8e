import { spawnSync } from "node:child_process";

/** Programs of Debian's that measurements use, by the package they come in. */
type DebianTool = "nginx" | "wrk" | "slowhttptest" | "strace";

/**
 * Sees to it that a program is there, installing Debian's package where it is missing. Throws, saying so, where it can't
 * be had.
 */
export function needTool(tool: DebianTool, say: (line: string) => void): void {
  if (isThere(tool)) return;
  say(`Installing ${tool} with apt-get.`);
  const options = { stdio: ["ignore", "ignore", "inherit"] as ["ignore", "ignore", "inherit"] };
  spawnSync("apt-get", ["update", "-qq"], options);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", ["install", "-qq", "-y", tool], { ...options, env });
  if (isThere(tool)) return;
  throw new Error(
    `${tool} is not installed and could not be: run \`apt-get install ${tool}\` as root.`,
  );
}

function isThere(program: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" }).status === 0;
}
