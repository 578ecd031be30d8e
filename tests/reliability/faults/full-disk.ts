import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Scene, withScene } from "../scene.ts";
import { countRefusals } from "./count-refusals.ts";
import { beginReport, type FaultReport, type FaultSize } from "./fault-report.ts";

/** SQLite is refused another page, as on a full disk. */
export async function fullDatabase(size: FaultSize): Promise<FaultReport> {
  return await withScene(size, (scene) =>
    fill("disk full, as SQLite tells it (SQLITE_FULL)", scene, size, {
      fill: () => scene.server.order({ databaseMayGrow: false }),
      free: () => scene.server.order({ databaseMayGrow: true }),
    }),
  );
}

/** Enough for the pages of a run, and little enough to fill at once. */
const diskMiB = 64;

/** A small file system of its own runs full (ENOSPC). Mounting one takes the superuser's rights. */
export async function fullDisk(size: FaultSize): Promise<FaultReport> {
  const disk = await mkdtemp(path.join(tmpdir(), "chalkline-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskMiB}m`, "tmpfs", disk]);
  try {
    const ballast = path.join(disk, "ballast");
    return await withScene({ ...size, dataDir: path.join(disk, "data") }, (scene) =>
      fill("disk full (ENOSPC on a file system of its own)", scene, size, {
        fill: async () => fillWith(ballast),
        free: async () => rmSync(ballast),
      }),
    );
  } finally {
    execFileSync("umount", [disk]);
    await rm(disk, { recursive: true });
  }
}

async function fill(
  fault: string,
  scene: Scene,
  size: FaultSize,
  disk: { fill(): Promise<void>; free(): Promise<void> },
): Promise<FaultReport> {
  const report = await beginReport(fault, scene, size);
  for (let round = 0; round < size.injections; round += 1) {
    await disk.fill();
    await refused(scene);
    await report.during(size.lastsMs);
    await disk.free();
    await report.after();
  }
  return await report.end();
}

/** What is left of pages in use takes a few writes yet. */
const refusalsOfFullDisk = 10;

async function refused(scene: Scene): Promise<void> {
  const enough = countRefusals(scene) + refusalsOfFullDisk;
  while (countRefusals(scene) < enough) await delay(5);
}

function fillWith(ballast: string): void {
  const file = openSync(ballast, "w");
  try {
    for (let blockBytes = 1024 * 1024; blockBytes >= 1; blockBytes = Math.floor(blockBytes / 16)) {
      writeUntilRefused(file, Buffer.alloc(blockBytes, 1));
    }
  } finally {
    closeSync(file);
  }
}

function writeUntilRefused(file: number, block: Buffer): void {
  try {
    while (writeSync(file, block) === block.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
