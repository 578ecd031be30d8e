import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

const projectRoot = path.join(import.meta.dirname, "..");

/**
 * Runs a command in a terminal of its own, by util-linux's `script`. Where it would open a browser, what that is started
 * with, the rights of the file and its text are written into `opened` in the folder.
 */
export async function runInTerminal(
  command: string,
  { folder, env }: { folder: string; env: Record<string, string> },
) {
  const programs = path.join(folder, "programs");
  await mkdir(programs, { recursive: true });
  const opener = path.join(programs, "xdg-open");
  const note = path.join(folder, "opened");
  await writeFile(
    opener,
    `#!/bin/sh\n{ echo "$*"; stat -c %a "$1"; cat "$1"; } >"${note}.part"\nmv "${note}.part" "${note}"\n`,
  );
  await chmod(opener, 0o755);
  const child: ChildProcess = spawn("script", ["-qefc", command, "/dev/null"], {
    cwd: projectRoot,
    env: { ...env, PATH: `${programs}:${env.PATH ?? ""}` },
    // Its own group, as a terminal's window is.
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
  });
  let said = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  return { child, said: () => said, opened: note };
}
