import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { examineDatabase } from "./power/examine-database.ts";
import { withScene } from "./scene.ts";

const writes = 20;
const cuts = 60;
const tornBytes = 2_000;

/**
 * What a power cut leaves of the write-ahead log is some beginning of it and perhaps damage at the end. That each
 * acknowledged write was in the synced part is shown with a trace of the server, by `npm run bench -- faults`.
 */
test("a write-ahead log cut off anywhere, with a damaged end, holds whole writes alone, from the first on", async () => {
  const { database, log, told } = await withScene({ visitors: 2 }, async (scene) => {
    await scene.answered(writes);
    await scene.settled();
    const read = (ending: string) =>
      readFileSync(path.join(scene.dataDir, `${sqliteFileName}${ending}`));
    const { messages, signups } = scene.crowd.acknowledged;
    return { database: read(""), log: read("-wal"), told: [...messages, ...signups] };
  });
  const examine = (cutLog: Buffer) =>
    examineDatabase(
      new Map([
        [sqliteFileName, database],
        [`${sqliteFileName}-wal`, cutLog],
      ]),
    );

  const whole = examine(log);
  expect(whole.isSound).toBe(true);
  expect(told.filter((tracer) => !whole.tracers.has(tracer))).toEqual([]);

  let before = new Set<string>();
  for (let cut = 0; cut < cuts; cut += 1) {
    const kept = Buffer.from(log.subarray(0, Math.ceil((log.length * cut) / cuts)));
    const { isSound, tracers, halves } = examine(kept);
    expect({ isSound, halves }).toEqual({ isSound: true, halves: [] });
    expect(tracers.isSupersetOf(before)).toBe(true);
    before = tracers;

    kept.fill(0, Math.max(0, kept.length - Math.floor(Math.random() * tornBytes)));
    const torn = examine(kept);
    expect(torn).toMatchObject({ isSound: true, halves: [] });
    expect(tracers.isSupersetOf(torn.tracers)).toBe(true);
  }
  expect(before.size).toBeGreaterThan(writes / 2);
});
