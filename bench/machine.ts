import { execFileSync } from "node:child_process";
import { cpus, release, totalmem } from "node:os";

/** What the figures were taken on, in a line: they mean little without it. */
export function describeMachine(): string {
  const [first] = cpus();
  const memoryGiB = (totalmem() / 2 ** 30).toFixed(0);
  return [
    `${cpus().length} cores (${first?.model.trim() || "unknown model"})`,
    `${memoryGiB} GiB memory`,
    `Linux ${release()}`,
    `Node ${process.versions.node}`,
    ...[versionOf("nginx", "-v"), versionOf("wrk", "-v"), versionOf("chromium", "--version")],
  ]
    .filter(Boolean)
    .join(", ");
}

/** `name 1.2.3`, as the program says it itself; null where it isn't installed. */
function versionOf(program: string, option: string): string | null {
  try {
    const said = execFileSync("sh", ["-c", `${program} ${option} 2>&1 || true`], {
      encoding: "utf8",
    });
    const version = /\d+(?:\.\d+)+/.exec(said)?.[0];
    return version ? `${program} ${version}` : null;
  } catch {
    return null;
  }
}
