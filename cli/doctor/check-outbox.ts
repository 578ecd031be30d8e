import type { OpenDatabase } from "#db/database-handle.ts";
import { listBusyPaces } from "#mail/mail-pace.ts";
import { countOutbox } from "#mail/outbox-list.ts";
import { formatAge } from "../terminal.ts";
import type { Finding } from "./finding.ts";

/** A delivery that has waited longer shows that something is wrong: most go out within seconds. Milliseconds. */
const longWaitMs = 15 * 60_000;

/** What waits and what has failed. */
export async function checkOutbox({ db }: OpenDatabase, now: Date): Promise<Finding> {
  const { waiting, failed, delivered, oldestWaitingAt } = await countOutbox(db);
  const waitedMs = oldestWaitingAt === null ? 0 : now.getTime() - Date.parse(oldestWaitingAt);
  const age = waiting > 0 && waitedMs > 0 ? `, the oldest for ${formatAge(waitedMs)}` : "";
  const message = `${waiting} waiting${age}; ${failed} failed; ${delivered} delivered.`;
  const about = "Outbox";
  if (failed > 0) {
    const advice = "See why: outbox list --failed. Then: outbox retry --all-failed";
    return { about, state: "attention", message, advice };
  }
  const paced = await listBusyPaces(db, now);
  if (paced.length > 0) {
    const what = paced.join(" and ");
    const advice = `More ${what} come in than mail is sent for, so mail waits for its pace: outbox list --waiting`;
    return { about, state: "attention", message, advice };
  }
  if (waitedMs > longWaitMs) {
    const advice = "See why: outbox list --waiting. The site must be running to send.";
    return { about, state: "attention", message, advice };
  }
  return { about, state: "ok", message };
}
