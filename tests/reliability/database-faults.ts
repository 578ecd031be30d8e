import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { countRefusals, type Fault } from "./faults.ts";

/** How long a write waits for the lock, in milliseconds. A read that waited as long would have been held up by it. */
export const lockWaitMs = 5_000;
/** What is left of pages in use takes a few writes yet. */
const refusalsOfFullDisk = 10;

/** Another program begins to write in the SQLite file and doesn't end. */
export function lockedDatabase(): Fault {
  let other: DatabaseSync;
  return {
    begin({ dataDir }) {
      other = new DatabaseSync(path.join(dataDir, sqliteFileName), { timeout: lockWaitMs });
      other.exec("begin immediate");
    },
    lastsMs: lockWaitMs + 1_000,
    isFelt: async (scene) => countRefusals(scene) > 0,
    end() {
      other.exec("rollback");
      other.close();
    },
  };
}

/** SQLite is refused another page, as on a full disk. */
export function fullDisk(): Fault {
  return {
    async begin(scene) {
      await scene.server.order({ databaseMayGrow: false });
      while (countRefusals(scene) < refusalsOfFullDisk) await delay(5);
    },
    end: ({ server }) => server.order({ databaseMayGrow: true }),
  };
}
