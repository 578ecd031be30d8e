import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Database } from "../tables.ts";

/** Marks that begin so are of the copying itself, and not copied. */
export const ownMark = "copy-";

const sourceMark = "copy-source:";
const ofMark = "copy-of:";
const leftMark = "copy-left:";
const unfinishedMark = "copy-unfinished";

/** What a database says of itself as a copy; null where it is none. */
type CopyState = {
  sourceId: string;
  /** The checksum that the latest copying left behind; null where one did not come to its end. */
  left: string | null;
};

async function findMark(db: Kysely<Database>, start: string): Promise<string | null> {
  const row = await db
    .selectFrom("marks")
    .select("name")
    .where("name", "like", `${start}%`)
    .executeTakeFirst();
  return row ? row.name.slice(start.length) : null;
}

async function setMark(db: Kysely<Database>, name: string, now: Date): Promise<void> {
  await db.insertInto("marks").values({ name, set_at: now.toISOString() }).execute();
}

/** Whether a copying into this database was broken off, so that it holds a part of what it should. */
export async function isUnfinishedCopy(db: Kysely<Database>): Promise<boolean> {
  return (await findMark(db, unfinishedMark)) !== null;
}

/** Tells one source from another; given to it with its first copy. */
export async function identifySource(db: Kysely<Database>, now: Date): Promise<string> {
  const known = await findMark(db, sourceMark);
  if (known !== null) return known;
  const id = randomUUID();
  await setMark(db, sourceMark + id, now);
  return id;
}

/** Whose copy the database is, and how it was left. */
export async function readCopyState(db: Kysely<Database>): Promise<CopyState | null> {
  const sourceId = await findMark(db, ofMark);
  return sourceId === null ? null : { sourceId, left: await findMark(db, leftMark) };
}

/** From now on the target is neither empty nor whole. */
export async function beginCopy(db: Kysely<Database>, sourceId: string, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom("marks").where("name", "like", `${ownMark}%`).execute();
    await setMark(trx, ofMark + sourceId, now);
    await setMark(trx, unfinishedMark, now);
  });
}

/** The target is whole, with that checksum over all of its tables. */
export async function endCopy(db: Kysely<Database>, checksum: string, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom("marks").where("name", "=", unfinishedMark).execute();
    await setMark(trx, leftMark + checksum, now);
  });
}
