import { readMark, setMark } from "#db/marks.ts";
import type { Db } from "#db/tables.ts";
import { enqueue } from "./outbox-jobs.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Notifies the operator at once, or a day after the previous note. */
export async function noteQuarantined(trx: Db, now: Date): Promise<void> {
  const name = "held-note";
  const latest = await readMark(trx, name);
  if (latest && latest >= now.toISOString()) return;
  const due = new Date(Math.max(now.getTime(), Date.parse(latest ?? "1970") + dayMs));
  if (!(await setMark(trx, { name, at: due, ifBefore: now }))) return;
  const payload = { heldAt: now.toISOString(), dueAt: due.toISOString() };
  await enqueue(trx, { kind: "held-email", payload, now, notBefore: due });
}
