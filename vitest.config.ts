import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { patienceMs } from "./tests/patience.ts";

/**
 * Each takes 8 to 60 seconds: begun last, it would keep the other cores waiting. On a new clone, where nothing is known of
 * earlier runs, short files come last.
 */
const longFiles = [
  "backup-restore",
  "killed-plans",
  "mail-programs",
  "send-worker",
  "proxies",
  "nginx/nginx",
  "faults",
  "real-programs/postgres",
  "mail-reports",
  "outages",
  "send-trial",
  "graceful-stop",
  "kill-server",
  "subscriber-model",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    const long = longFiles.flatMap((name) =>
      sorted.filter(({ moduleId }) => moduleId.endsWith(`/${name}.test.ts`)),
    );
    return [...new Set([...long, ...sorted])];
  }
}

export default defineConfig({
  test: {
    include: ["**/*.test.{ts,tsx}"],
    exclude: ["**/node_modules/**", "build/**", "data/**"],
    environment: "node",
    pool: "forks",
    // The tests leave nothing behind in a process, and loading the backend anew for each file takes longer than most files.
    isolate: false,
    // Two more work while others wait for a database, a clock or a process, as each does about a third of its time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    testTimeout: 360_000,
    hookTimeout: 360_000,
    expect: { poll: { timeout: patienceMs } },
    globalSetup: ["tests/databases/global-setup.ts"],
  },
});
