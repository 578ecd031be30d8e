import { createHmac, timingSafeEqual } from "node:crypto";
import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";

/** 80 bits, in hexadecimal: too many to guess. */
const proofLength = 20;

/** A mail of a send whose return path has come back with its proof. */
type ReturnedMail = { rowId: number; mailbox: string; email: string };

/** More addresses of one message aren't checked. */
const candidatesMax = 20;

export type ReturnPaths = ReturnType<typeof createReturnPaths>;

/**
 * A return path of its own for every mail of a send (VERP): the bounce mailbox's address with a tag (RFC 5233) that names
 * the row and proves it. The key is the subscriber's own secret, so only who has their mail can say that it bounced, and
 * there is no other secret to keep.
 */
export function createReturnPaths(address: string) {
  const at = address.lastIndexOf("@");
  const local = address.slice(0, at);
  const domain = address.slice(at + 1);
  // Servers on the way may write all of it in small letters, or in capitals.
  const written = new RegExp(
    `${RegExp.escape(local)}\\+([0-9a-z]{1,11})-([0-9a-f]{${proofLength}})@${RegExp.escape(domain)}`,
    "gi",
  );
  return {
    of({ id, email, token }: { id: number; email: string; token: string }): string {
      return `${local}+${id.toString(36)}-${proofOf({ id, email, token })}@${domain}`;
    },

    /** The mail that one of these texts names and proves. */
    async find(db: Kysely<Database>, texts: readonly string[]): Promise<ReturnedMail | null> {
      const found = texts.flatMap((text) => [...text.matchAll(written)]).slice(0, candidatesMax);
      for (const [, tag = "", proof = ""] of found) {
        const rowId = Number.parseInt(tag, 36);
        if (!Number.isSafeInteger(rowId)) continue;
        const row = await readerOfRow(db, rowId);
        if (!row) continue;
        const { mailbox, ...reader } = row;
        const expected = proofOf({ ...reader, id: rowId });
        if (timingSafeEqual(Buffer.from(expected), Buffer.from(proof.toLowerCase()))) {
          return { rowId, mailbox, email: reader.email };
        }
      }
      return null;
    },
  };
}

function proofOf({ id, email, token }: { id: number; email: string; token: string }): string {
  return createHmac("sha256", token)
    .update(`returned ${id} ${email}`)
    .digest("hex")
    .slice(0, proofLength);
}

async function readerOfRow(db: Kysely<Database>, rowId: number) {
  return await db
    .selectFrom("send_rows as row")
    .innerJoin("subscribers as reader", "reader.id", "row.reader_id")
    .select(["reader.mailbox_key as mailbox", "reader.email", "reader.token"])
    .where("row.id", "=", rowId)
    .executeTakeFirst();
}
