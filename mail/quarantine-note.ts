import { readMark, setMark } from "#db/marks.ts";
import type { Db } from "#db/tables.ts";
import { enqueue } from "./outbox-jobs.ts";

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Notifies the operator by mail, in the same transaction, that something was quarantined: at once, or a day after the
 * previous note. A waiting note covers whatever comes before it is sent.
 */
export async function noteQuarantined(trx: Db, now: Date): Promise<void> {
  // The mark's time is when the latest note is due.
  const name = "held-note";
  const latest = await readMark(trx, name);
  if (latest && latest >= now.toISOString()) return;
  const due = new Date(Math.max(now.getTime(), Date.parse(latest ?? "1970") + dayMs));
  if (!(await setMark(trx, { name, at: due, ifBefore: now }))) return;
  const payload = { heldAt: now.toISOString(), dueAt: due.toISOString() };
  await enqueue(trx, { kind: "held-email", payload, now, notBefore: due });
}
