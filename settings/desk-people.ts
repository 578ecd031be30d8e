import { createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import * as v from "valibot";
import { singleLineText } from "#content/text.ts";
import type { Db } from "#db/tables.ts";

/** A link that makes a passkey works for so long. */
const linkMs = 24 * 60 * 60_000;

/** After a week, a passkey is asked for again. */
export const sessionMs = 7 * 24 * 60 * 60_000;

type DeskPerson = { id: number; name: string };

type Passkey = {
  credential: string;
  personId: number;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
};

type NewPasskey = Passkey & { device: string; transports: string[] };

type Link = { token: string; endsAt: string };

type Refused = { ok: false; problem: string };

/** Makes a link for somebody new or, by the name of somebody who is there, for another device of theirs. */
export async function inviteToDesk(
  db: Db,
  { name: given, now }: { name: string; now: Date },
): Promise<({ ok: true; person: DeskPerson } & Link) | Refused> {
  const read = v.safeParse(singleLineText("The name", { max: 60, required: true }), given);
  if (!read.success) return { ok: false, problem: read.issues[0].message };
  const name = read.output;
  return await db.transaction().execute(async (trx) => {
    const person = await trx
      .insertInto("desk_people")
      .values({ name, created_at: now.toISOString() })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ name }))
      .returning(["id", "name"])
      .executeTakeFirstOrThrow();
    return { ok: true, person, ...(await makeLink(trx, { personId: person.id, now })) };
  });
}

/** A link for another device of somebody who is there. Their earlier link ends. */
export async function makeLink(
  db: Db,
  { personId, now }: { personId: number; now: Date },
): Promise<Link> {
  const token = newSecret();
  const endsAt = new Date(now.getTime() + linkMs).toISOString();
  await endLink(db, personId);
  const row = { token_hash: hashOf(token), person_id: personId, ends_at: endsAt };
  await db.insertInto("desk_links").values(row).execute();
  return { token, endsAt };
}

export async function endLink(db: Db, personId: number): Promise<void> {
  await db.deleteFrom("desk_links").where("person_id", "=", personId).execute();
}

/** The person of a link, unless it has been used or is too old. */
export async function findLink(db: Db, token: string, now: Date): Promise<DeskPerson | undefined> {
  return await db
    .selectFrom("desk_links")
    .innerJoin("desk_people", "desk_people.id", "person_id")
    .select(["desk_people.id", "name"])
    .where("token_hash", "=", hashOf(token))
    .where("ends_at", ">", now.toISOString())
    .executeTakeFirst();
}

/** Uses the link up for a passkey, and opens a session by it. Null where the link was used meanwhile. */
export async function addPasskey(
  db: Db,
  { token, passkey, now }: { token: string; passkey: NewPasskey; now: Date },
): Promise<{ secret: string } | null> {
  const { credential, personId, publicKey, counter, device, transports } = passkey;
  const at = now.toISOString();
  const deviceName = v.fallback(singleLineText("Device", { max: 60, required: true }), "A device");
  return await db.transaction().execute(async (trx) => {
    const used = trx.deleteFrom("desk_links").where("token_hash", "=", hashOf(token));
    const ofPerson = used.where("person_id", "=", personId).where("ends_at", ">", at);
    if ((await ofPerson.executeTakeFirst()).numDeletedRows !== 1n) return null;
    await trx
      .insertInto("desk_passkeys")
      .values({
        credential,
        person_id: personId,
        device: v.parse(deviceName, device),
        counter,
        public_key: Buffer.from(publicKey).toString("base64url"),
        transports: JSON.stringify(transports),
        created_at: at,
        used_at: at,
      })
      .execute();
    return await openSession(trx, { personId, credential, now });
  });
}

export async function findPasskey(db: Db, credential: string): Promise<Passkey | null> {
  const found = await db
    .selectFrom("desk_passkeys")
    .select(["person_id as personId", "public_key", "counter"])
    .where("credential", "=", credential)
    .executeTakeFirst();
  if (!found) return null;
  const { public_key, ...passkey } = found;
  const publicKey = new Uint8Array(Buffer.from(public_key, "base64url"));
  return { credential, publicKey, ...passkey };
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
  const ends_at = new Date(now.getTime() + sessionMs).toISOString();
  const row = { secret_hash: hashOf(secret), person_id: personId, credential };
  await db
    .insertInto("desk_sessions")
    .values({ ...row, created_at: at, ends_at })
    .execute();
  return { secret };
}

/** The person of a session; null where it has ended. `key` names it in lists; the first person, the owner, lets others in. */
export async function findSession(
  db: Db,
  secret: string,
  now: Date,
): Promise<(DeskPerson & { key: string; isFirst: boolean; signedInAt: string }) | null> {
  const key = hashOf(secret);
  const found = await db
    .selectFrom("desk_sessions")
    .innerJoin("desk_people", "desk_people.id", "person_id")
    .select(["desk_people.id", "name", "desk_sessions.created_at as signedInAt"])
    .select(firstPerson.as("first"))
    .where("secret_hash", "=", key)
    .where("ends_at", ">", now.toISOString())
    .executeTakeFirst();
  if (!found) return null;
  const { first, ...person } = found;
  return { ...person, key, isFirst: person.id === first };
}

const firstPerson = sql<number>`(select min(id) from desk_people)`;

/** Everybody, or one person, with their open link, their devices and the sessions of each. */
export async function listDeskPeople(db: Db, { only, now }: { only?: number; now: Date }) {
  const at = now.toISOString();
  const all = db
    .selectFrom("desk_people")
    .leftJoin("desk_links", (link) => link.onRef("person_id", "=", "id").on("ends_at", ">", at))
    .select(["id", "name", "ends_at as linkEndsAt"])
    .orderBy("name");
  const people = await (only === undefined ? all : all.where("id", "=", only)).execute();
  const passkeys = await db
    .selectFrom("desk_passkeys")
    .select(["credential", "person_id", "device as name", "used_at as usedAt"])
    .orderBy("created_at")
    .execute();
  const sessions = await db
    .selectFrom("desk_sessions")
    .select(["secret_hash as key", "credential"])
    .where("ends_at", ">", at)
    .orderBy("created_at")
    .execute();
  const devices = passkeys.map((device) => ({
    ...device,
    sessions: sessions.filter(({ credential }) => credential === device.credential),
  }));
  return people.map((person) => ({
    ...person,
    devices: devices.filter(({ person_id }) => person_id === person.id),
  }));
}

/** Ends a session. `only` leaves other people's alone, here as below. */
export async function endSession(db: Db, key: string, only?: number): Promise<void> {
  const ended = db.deleteFrom("desk_sessions").where("secret_hash", "=", key);
  await (only === undefined ? ended : ended.where("person_id", "=", only)).execute();
}

/** Takes a device's passkey away, and with it its sessions. The owner's last one stays, or nobody could come in. */
export async function removePasskey(
  db: Db,
  credential: string,
  only?: number,
): Promise<{ ok: true } | Refused> {
  return await db.transaction().execute(async (trx) => {
    // One removal waits for the other, so that they don't take the last two.
    const owner = trx.updateTable("desk_people").where("id", "=", firstPerson);
    await owner.set({ name: sql`name` }).execute();
    const owners = await trx
      .selectFrom("desk_passkeys")
      .select("credential")
      .where("person_id", "=", firstPerson)
      .execute();
    if (owners.length === 1 && owners[0]?.credential === credential) {
      const problem =
        "This is the owner's last device, and without it nobody could come in. Add another one first.";
      return { ok: false, problem };
    }
    const removed = trx.deleteFrom("desk_passkeys").where("credential", "=", credential);
    await (only === undefined ? removed : removed.where("person_id", "=", only)).execute();
    return { ok: true };
  });
}

/** Takes somebody's devices, sessions and links away. The first person stays. */
export async function removeDeskPerson(db: Db, id: number): Promise<void> {
  await db.deleteFrom("desk_people").where("id", "=", id).where("id", ">", firstPerson).execute();
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Secrets are stored as hashes, so that a backup opens nothing. */
function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}
