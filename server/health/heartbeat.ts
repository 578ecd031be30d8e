import type { Kysely } from "kysely";
import { readMark, setMark } from "#db/marks.ts";
import { createRecurringWork } from "#db/recurring-work.ts";
import type { Database, Db } from "#db/tables.ts";

const name = "site answered";
const beatMs = 30_000;

/** The running site notes every half minute that it is there; of several instances, the latest counts. */
export function createHeartbeat(
  db: Kysely<Database>,
  beforeFirst: (now: Date) => Promise<void> = async () => {},
) {
  let isFirst = true;
  return createRecurringWork(async () => {
    const mark = { name, at: new Date(), ifBefore: new Date("9999") };
    // A database that is away is in the log by whatever else asks it.
    if (isFirst) await beforeFirst(mark.at).catch(() => {});
    isFirst = false;
    await setMark(db, mark).catch(() => {});
    return beatMs;
  });
}

/** When the site answered last, null where it never ran, and whether it has missed four beats since. */
export async function readHeartbeat(db: Db, now: Date) {
  const answeredAt = await readMark(db, name);
  const silentMs = answeredAt === null ? 0 : Math.max(0, now.getTime() - Date.parse(answeredAt));
  return { answeredAt, silentMs, isSilent: silentMs > 4 * beatMs };
}
