import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readTrace, tracedBy } from "../power/disk-trace.ts";
import { examineDatabase } from "../power/examine-database.ts";
import { createSimulatedDisk, type DiskOperation, type Kept } from "../power/simulated-disk.ts";
import { withScene } from "../scene.ts";
import type { FaultReport, FaultSize } from "./fault-report.ts";

const kinds: Kept[] = ["nothing", "everything", "some changes", "some parts"];

/**
 * The power is cut, at the level of files: strace writes down what the server writes and syncs and when it acknowledges,
 * and from that the files are made as a disk may have them after a cut at any moment, with what was not synced gone, kept
 * or torn by chance. Each is opened by SQLite and compared with what was acknowledged before the cut. Takes strace and
 * Linux.
 */
export async function powerCut(size: FaultSize): Promise<FaultReport> {
  const folder = await mkdtemp(path.join(tmpdir(), "chalkline-trace-"));
  try {
    const trace = path.join(folder, "trace");
    const runBy = tracedBy(trace);
    const { dataDir, found, answers } = await withScene({ ...size, runBy }, async (scene) => {
      await delay(size.lastsMs);
      const found = await scene.settled();
      await scene.server.kill();
      return { dataDir: scene.dataDir, found, answers: scene.crowd.answers };
    });
    const operations = await readTrace(trace, dataDir);
    const cuts = cutPower(operations, size.injections);
    return {
      fault: "power cut, at the level of files (SQLite)",
      injected: cuts.count,
      acknowledged: cuts.acknowledged,
      lost: cuts.lost.size,
      falseSuccesses: found.notStored.length,
      storedTwice: found.storedTwice.length,
      underTwoIds: found.underTwoIds.length,
      repeats: found.repeats,
      fieldsDropped: 0,
      serversDied: 0,
      longestReadMs: 0,
      visitor: `writes: ${[...answers].map(([answer, count]) => `${answer} ×${count}`).join(", ")}`,
      operator: [
        `databases that SQLite finds sound: ${cuts.sound} of ${cuts.count}`,
        `writes of which a part was there: ${cuts.halves.size}`,
        `syncs: ${operations.filter(({ kind }) => kind === "sync").length}`,
        `most bytes of the log that were not synced at an acknowledgement: ${cuts.unsyncedBytesMax}`,
      ].join("; "),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Cuts the power right after acknowledgements and at moments of chance, half and half. */
function cutPower(operations: DiskOperation[], count: number) {
  const acknowledgements = operations.flatMap(({ kind }, at) => (kind === "acknowledge" ? at : []));
  if (acknowledgements.length === 0) throw new Error("The trace holds no acknowledgement.");
  const moments = new Map<number, Kept[]>();
  for (let cut = 0; cut < count; cut += 1) {
    const at =
      cut % 2 === 0
        ? acknowledgements[Math.floor((cut / count) * acknowledgements.length)]
        : Math.floor(Math.random() * operations.length);
    const kept = kinds[Math.floor(cut / 2) % kinds.length];
    if (at !== undefined && kept) moments.set(at, [...(moments.get(at) ?? []), kept]);
  }

  const disk = createSimulatedDisk();
  const told = new Set<string>();
  const result = {
    count: 0,
    acknowledged: 0,
    sound: 0,
    lost: new Set<string>(),
    halves: new Set<string>(),
    unsyncedBytesMax: 0,
  };
  for (const [at, operation] of operations.entries()) {
    disk.apply(operation);
    if (operation.kind === "acknowledge") {
      told.add(operation.tracer);
      result.unsyncedBytesMax = Math.max(result.unsyncedBytesMax, disk.unsyncedBytes("-wal"));
    }
    for (const kept of moments.get(at) ?? []) {
      const { isSound, tracers, halves } = examineDatabase(disk.afterPowerCut(kept));
      result.count += 1;
      if (isSound) result.sound += 1;
      for (const tracer of told) if (!tracers.has(tracer)) result.lost.add(tracer);
      for (const tracer of halves) result.halves.add(tracer);
    }
  }
  result.acknowledged = told.size;
  return result;
}
