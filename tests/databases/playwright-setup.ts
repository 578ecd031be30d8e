import { spawnSync } from "node:child_process";
import { databaseOfRun, startSiteDatabases } from "./site-databases.ts";

/** The name of the project whose sites are on PostgreSQL, as the command line has it. */
export const postgresProject = "chromium-postgres";

/** Says that the build is old, and starts PostgreSQL where the run has tests on it; what is returned ends it. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  spawnSync(process.execPath, ["scripts/prepare.mjs", "judge"], { stdio: "inherit" });
  const projects = process.argv.filter((word) => word.startsWith("--project"));
  const isAsked = projects.length === 0 || projects.includes(`--project=${postgresProject}`);
  return isAsked || databaseOfRun() === "postgres" ? await startSiteDatabases() : undefined;
}
