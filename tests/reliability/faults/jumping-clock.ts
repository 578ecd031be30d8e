import { withScene } from "../scene.ts";
import { beginReport, type FaultReport, type FaultSize } from "./fault-report.ts";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** Counted from the right time, in the order in which they come; the last puts the clock right. */
const jumps = [2 * hourMs, -2 * hourMs, 400 * dayMs, -dayMs, 10 * 366 * dayMs, -400 * dayMs, 0];

/** A jump this far is one that a machine makes while it starts, and the server deletes old things when it starts. */
const restartedAboveMs = 366 * dayMs;

/** The machine's clock jumps ahead and back by hours, days and years while visitors write. */
export async function jumpingClock(size: FaultSize): Promise<FaultReport> {
  return await withScene(size, async (scene) => {
    const report = await beginReport("clock jumping", scene, size);
    for (let round = 0; round < size.injections; round += 1) {
      for (const shiftClockByMs of jumps) {
        // Some deliveries are under way or wait for their next attempt when the clock moves.
        scene.mail.mode = "defer";
        await scene.answered(4);
        if (shiftClockByMs < restartedAboveMs) {
          await scene.server.order({ shiftClockByMs });
        } else {
          await scene.server.kill();
          await scene.server.start(shiftClockByMs);
        }
        scene.mail.mode = "accept";
        await report.during(size.lastsMs);
        await report.after();
      }
    }
    return await report.end();
  });
}
