import { createHash, randomBytes } from "node:crypto";
import * as v from "valibot";
import { singleLineText } from "#contracts/text.ts";
import { isPostgres } from "#db/database-handle.ts";
import type { Db, DeskRole } from "#db/tables.ts";

/** A link that makes a passkey works for so long. */
const linkMs = 24 * 60 * 60_000;

/** After a week, a passkey is asked for again. */
export const sessionMs = 7 * 24 * 60 * 60_000;

type DeskPerson = { id: number; name: string; role: DeskRole };

type Passkey = {
  credential: string;
  personId: number;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string[];
};

type Invited =
  | { ok: true; person: DeskPerson; token: string; endsAt: string }
  | { ok: false; reason: "bad_name"; why: string }
  | { ok: false; reason: "has_other_role"; role: DeskRole };

export type Removed = { ok: true } | { ok: false; reason: "last_owner" };

/** Makes a link for somebody new or, by the name of somebody who is there, for another device of theirs. */
export async function inviteToDesk(
  db: Db,
  { name: given, role, now }: { name: string; role: DeskRole; now: Date },
): Promise<Invited> {
  const read = v.safeParse(singleLineText("The name", { max: 60, required: true }), given);
  if (!read.success) return { ok: false, reason: "bad_name", why: read.issues[0].message };
  const name = read.output;
  return await db.transaction().execute(async (trx) => {
    await trx
      .insertInto("desk_people")
      .values({ name, role, created_at: now.toISOString() })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
    const person = await trx
      .selectFrom("desk_people")
      .select(["id", "name", "role"])
      .where("name", "=", name)
      .executeTakeFirstOrThrow();
    if (person.role !== role) return { ok: false, reason: "has_other_role", role: person.role };
    return { ok: true, person, ...(await makeLink(trx, { personId: person.id, now })) };
  });
}

/** A link for another device of somebody who is there. */
export async function makeLink(
  db: Db,
  { personId, now }: { personId: number; now: Date },
): Promise<{ token: string; endsAt: string }> {
  const token = newSecret();
  const endsAt = new Date(now.getTime() + linkMs).toISOString();
  await db.deleteFrom("desk_links").where("ends_at", "<=", now.toISOString()).execute();
  const row = { token_hash: hashOf(token), person_id: personId, ends_at: endsAt };
  await db.insertInto("desk_links").values(row).execute();
  return { token, endsAt };
}

/** Whose link it is; null where it has been used or is too old. */
export async function findLink(db: Db, token: string, now: Date): Promise<DeskPerson | null> {
  const found = await db
    .selectFrom("desk_links")
    .innerJoin("desk_people", "desk_people.id", "person_id")
    .select(["desk_people.id", "name", "role"])
    .where("token_hash", "=", hashOf(token))
    .where("ends_at", ">", now.toISOString())
    .executeTakeFirst();
  return found ?? null;
}

/** Uses the link up for a passkey, and opens a session by it. Null where the link was used meanwhile. */
export async function addPasskey(
  db: Db,
  { token, passkey, device, now }: { token: string; passkey: Passkey; device: string; now: Date },
): Promise<{ secret: string } | null> {
  const { credential, personId, publicKey, counter, transports } = passkey;
  return await db.transaction().execute(async (trx) => {
    const used = trx.deleteFrom("desk_links").where("token_hash", "=", hashOf(token));
    const { numDeletedRows } = await used
      .where("person_id", "=", personId)
      .where("ends_at", ">", now.toISOString())
      .executeTakeFirst();
    if (numDeletedRows !== 1n) return null;
    await trx
      .insertInto("desk_passkeys")
      .values({
        credential,
        person_id: personId,
        device: deviceName(device),
        counter,
        public_key: Buffer.from(publicKey).toString("base64url"),
        transports: JSON.stringify(transports),
        created_at: now.toISOString(),
        used_at: now.toISOString(),
      })
      .execute();
    return await openSession(trx, { personId, credential, now });
  });
}

function deviceName(text: string): string {
  const read = v.safeParse(singleLineText("The device", { max: 60, required: true }), text);
  return read.success ? read.output : "A device";
}

export async function listCredentials(db: Db, personId: number) {
  const rows = await db
    .selectFrom("desk_passkeys")
    .select("credential")
    .where("person_id", "=", personId)
    .execute();
  return rows.map(({ credential }) => credential);
}

export async function findPasskey(
  db: Db,
  credential: string,
): Promise<(Passkey & { name: string }) | null> {
  const found = await db
    .selectFrom("desk_passkeys")
    .innerJoin("desk_people", "desk_people.id", "person_id")
    .select(["person_id", "public_key", "counter", "transports", "name"])
    .where("credential", "=", credential)
    .executeTakeFirst();
  if (!found) return null;
  return {
    credential,
    personId: found.person_id,
    counter: found.counter,
    name: found.name,
    publicKey: new Uint8Array(Buffer.from(found.public_key, "base64url")),
    transports: JSON.parse(found.transports),
  };
}

/** Opens a session by a passkey that was at `counter` when it was checked. Null where it was used meanwhile. */
export async function signIn(
  db: Db,
  { passkey, newCounter, now }: { passkey: Passkey; newCounter: number; now: Date },
): Promise<{ secret: string } | null> {
  const { credential, counter, personId } = passkey;
  return await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("desk_passkeys")
      .set({ counter: newCounter, used_at: now.toISOString() })
      .where("credential", "=", credential)
      .where("counter", "=", counter)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return null;
    return await openSession(trx, { personId, credential, now });
  });
}

async function openSession(
  db: Db,
  { personId, credential, now }: { personId: number; credential: string; now: Date },
): Promise<{ secret: string }> {
  const secret = newSecret();
  const at = now.toISOString();
  await db.deleteFrom("desk_sessions").where("ends_at", "<=", at).execute();
  await db
    .insertInto("desk_sessions")
    .values({
      secret_hash: hashOf(secret),
      person_id: personId,
      credential,
      created_at: at,
      seen_at: at,
      ends_at: new Date(now.getTime() + sessionMs).toISOString(),
    })
    .execute();
  return { secret };
}

/** Whose session it is; null where it has ended. `key` names it in lists. */
export async function findSession(
  db: Db,
  secret: string,
  now: Date,
): Promise<(DeskPerson & { key: string }) | null> {
  const key = hashOf(secret);
  const found = await db
    .selectFrom("desk_sessions")
    .innerJoin("desk_people", "desk_people.id", "person_id")
    .select(["desk_people.id", "name", "role", "seen_at"])
    .where("secret_hash", "=", key)
    .where("ends_at", ">", now.toISOString())
    .executeTakeFirst();
  if (!found) return null;
  const { seen_at, ...person } = found;
  if (Date.parse(seen_at) <= now.getTime() - 60_000) {
    await db
      .updateTable("desk_sessions")
      .set({ seen_at: now.toISOString() })
      .where("secret_hash", "=", key)
      .execute();
  }
  return { ...person, key };
}

/** Everybody, or one person, with their devices and the sessions of each. */
export async function listDeskPeople(db: Db, { only, now }: { only?: number; now: Date }) {
  const all = db.selectFrom("desk_people").select(["id", "name", "role"]).orderBy("name");
  const people = await (only === undefined ? all : all.where("id", "=", only)).execute();
  const passkeys = await db
    .selectFrom("desk_passkeys")
    .select(["credential", "person_id", "device", "used_at"])
    .orderBy("created_at")
    .execute();
  const sessions = await db
    .selectFrom("desk_sessions")
    .select(["secret_hash", "credential", "seen_at"])
    .where("ends_at", ">", now.toISOString())
    .orderBy("created_at")
    .execute();
  return people.map((person) => ({
    ...person,
    devices: passkeys
      .filter(({ person_id }) => person_id === person.id)
      .map(({ credential, device, used_at }) => ({
        credential,
        name: device,
        usedAt: used_at,
        sessions: sessions
          .filter((session) => session.credential === credential)
          .map(({ secret_hash, seen_at }) => ({ key: secret_hash, seenAt: seen_at })),
      })),
  }));
}

/** Ends a session. `only` leaves other people's alone, here as below. */
export async function endSession(db: Db, key: string, only?: number): Promise<void> {
  const ended = db.deleteFrom("desk_sessions").where("secret_hash", "=", key);
  await (only === undefined ? ended : ended.where("person_id", "=", only)).execute();
}

/** Takes a device's passkey away, and with it its sessions. */
export async function removePasskey(db: Db, credential: string, only?: number): Promise<void> {
  const removed = db.deleteFrom("desk_passkeys").where("credential", "=", credential);
  await (only === undefined ? removed : removed.where("person_id", "=", only)).execute();
}

/** Takes somebody's devices, sessions and links away. What they did stays in the ledger. */
export async function removeDeskPerson(db: Db, id: number): Promise<Removed> {
  return await db.transaction().execute(async (trx) => {
    const owners = await trx
      .selectFrom("desk_people")
      .select("id")
      .where("role", "=", "owner")
      .orderBy("id")
      // Two owners who remove each other at once must not both be the last but one.
      .$if(isPostgres(trx), (select) => select.forUpdate())
      .execute();
    if (owners.length === 1 && owners[0]?.id === id) return { ok: false, reason: "last_owner" };
    await trx.deleteFrom("desk_people").where("id", "=", id).execute();
    return { ok: true };
  });
}

export type Deed = { person: string; deed: string; about: string };

export async function recordDeed(db: Db, { person, deed, about }: Deed, now: Date): Promise<void> {
  const row = { done_at: now.toISOString(), person, deed, about };
  await db.insertInto("desk_ledger").values(row).execute();
}

/** A page of the ledger, the latest first; `before` is the id of the page before's last. */
export async function listDeeds(db: Db, { before, count }: { before?: number; count: number }) {
  const all = db.selectFrom("desk_ledger").selectAll().orderBy("id", "desc").limit(count);
  const rows = await (before === undefined ? all : all.where("id", "<", before)).execute();
  return rows.map(({ done_at, ...row }) => ({ ...row, doneAt: done_at }));
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Secrets are stored as hashes, so that a backup opens nothing. */
function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}
