import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { withScene } from "./scene.ts";
import { address, tracerOf } from "./under-fire.ts";

type Examined = {
  isSound: boolean;
  /** Tracers of the messages and sign-ups that are there. */
  tracers: Set<string>;
  /** Messages and sign-ups of which a part is missing: the row, its mail, its webhook call. */
  halves: string[];
};

/** Opens a database as it was found after a power cut and says what is in it. */
function examineDatabase(files: Map<string, Buffer>): Examined {
  const folder = mkdtempSync(path.join(tmpdir(), "chalkline-found-"));
  for (const [file, bytes] of files) writeFileSync(path.join(folder, path.basename(file)), bytes);
  const db = new DatabaseSync(path.join(folder, sqliteFileName));
  try {
    const [check] = db.prepare("pragma integrity_check").all() as { integrity_check: string }[];
    const isSound = check?.integrity_check === "ok";
    const table = db.prepare("select 1 from sqlite_schema where name = 'contact_messages'").get();
    return { isSound, ...(table ? readWrites(db) : { tracers: new Set(), halves: [] }) };
  } finally {
    db.close();
    rmSync(folder, { recursive: true });
  }
}

function readWrites(db: DatabaseSync): Pick<Examined, "tracers" | "halves"> {
  const texts = (query: string) =>
    (db.prepare(query).all() as { text: string }[]).map(({ text }) => text);
  const messages = texts("select message as text from contact_messages").map(tracerOf);
  const emails = texts("select email as text from subscribers");
  const deliveries = new Map<string, number>();
  for (const payload of texts("select payload as text from outbox")) {
    const tracer = tracerOfPayload(payload);
    deliveries.set(tracer, (deliveries.get(tracer) ?? 0) + 1);
  }
  // A message has one delivery, to the firm; a sign-up two, to the reader and to the webhook.
  const wanted = [
    ...messages.map((tracer) => ({ tracer, count: 1 })),
    ...emails.map((email) => ({ tracer: tracerOfAddress(email), count: 2 })),
  ];
  const halves = wanted.filter(({ tracer, count }) => deliveries.get(tracer) !== count);
  return {
    tracers: new Set(wanted.map(({ tracer }) => tracer)),
    halves: halves.map(({ tracer }) => tracer),
  };
}

function tracerOfPayload(payload: string): string {
  const { message, email, data } = JSON.parse(payload) as {
    message?: string;
    email?: string;
    data?: { email: string };
  };
  return message === undefined ? tracerOfAddress(email ?? data?.email ?? "") : tracerOf(message);
}

function tracerOfAddress(email: string): string {
  return email.slice(0, -address("").length);
}

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
