import { cp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { withScene } from "../scene.ts";
import { countRefusals } from "./count-refusals.ts";
import { beginReport, type FaultReport, type FaultSize } from "./fault-report.ts";

/**
 * The data folder is taken away under the running server. Every other time it is put back; otherwise a copy of what it
 * held takes its place, as when a backup is restored, and the server is restarted.
 */
export async function missingDatabase(size: FaultSize): Promise<FaultReport> {
  return await withScene(size, async (scene) => {
    const report = await beginReport("database file gone", scene, size);
    const elsewhere = `${scene.dataDir}-elsewhere`;
    const copy = `${scene.dataDir}-copy`;
    for (let round = 0; round < size.injections; round += 1) {
      const before = countRefusals(scene);
      await rename(scene.dataDir, elsewhere);
      await cp(elsewhere, copy, { recursive: true });
      await rm(path.join(copy, `${sqliteFileName}-shm`));
      await report.during(size.lastsMs, async () => countRefusals(scene) > before);
      if (round % 2 === 0) {
        await rename(elsewhere, scene.dataDir);
      } else {
        await rename(copy, scene.dataDir);
        await scene.server.kill();
        await scene.server.start();
      }
      await rm(round % 2 === 0 ? copy : elsewhere, { recursive: true });
      await report.after();
    }
    return await report.end();
  });
}
