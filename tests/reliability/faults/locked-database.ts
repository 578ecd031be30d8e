import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { withScene } from "../scene.ts";
import { countRefusals } from "./count-refusals.ts";
import { beginReport, type FaultReport, type FaultSize } from "./fault-report.ts";

/** Another program begins to write in the SQLite file and doesn't end. */
export async function lockedDatabase(size: FaultSize): Promise<FaultReport> {
  return await withScene(size, async (scene) => {
    const report = await beginReport("database locked by another program", scene, size);
    for (let round = 0; round < size.injections; round += 1) {
      const before = countRefusals(scene);
      const other = new DatabaseSync(path.join(scene.dataDir, sqliteFileName), { timeout: 5_000 });
      other.exec("begin immediate");
      await report.during(size.lastsMs, async () => countRefusals(scene) > before);
      other.exec("rollback");
      other.close();
      await report.after();
    }
    return await report.end();
  });
}
