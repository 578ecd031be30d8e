import { findOrInstallProgram } from "../scripts/install-debian-packages.ts";

/** Programs of Debian's that measurements use, by the package they come in. */
type DebianTool = "nginx" | "wrk" | "slowhttptest" | "strace";

/** Sees to it that a program is there, installing it where it is missing. Throws, saying so, where it can't be had. */
export function needTool(tool: DebianTool): void {
  if (findOrInstallProgram(tool)) return;
  throw new Error(
    `${tool} is not installed and could not be: run \`apt-get install ${tool}\` as root.`,
  );
}
