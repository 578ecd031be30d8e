import { createHmac, timingSafeEqual } from "node:crypto";
import type { Db } from "#db/tables.ts";

/** 80 bits in hexadecimal: too many to guess. */
const proofLength = 20;

type ReturnedMail = { rowId: number; mailbox: string; email: string };

const candidatesMax = 20;

export type ReturnPaths = ReturnType<typeof createReturnPaths>;

/**
 * Gives every mail of a send its own return path (VERP): the bounce mailbox's address with a tag (RFC 5233) that names
 * the row and proves it. The key is the subscriber's token, so only somebody who has the mail can report a bounce.
 */
export function createReturnPaths(address: string) {
  const at = address.lastIndexOf("@");
  const local = address.slice(0, at);
  const domain = address.slice(at + 1);
  // Mail servers may change the capitals.
  const written = new RegExp(
    `${RegExp.escape(local)}\\+([0-9a-z]{1,11})-([0-9a-f]{${proofLength}})@${RegExp.escape(domain)}`,
    "gi",
  );
  return {
    of({ id, email, token }: { id: number; email: string; token: string }): string {
      return `${local}+${id.toString(36)}-${proofOf({ id, email, token })}@${domain}`;
    },

    async find(db: Db, texts: readonly string[]): Promise<ReturnedMail | null> {
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

async function readerOfRow(db: Db, rowId: number) {
  return await db
    .selectFrom("send_rows as row")
    .innerJoin("subscribers as reader", "reader.id", "row.reader_id")
    .select(["reader.mailbox_key as mailbox", "reader.email", "reader.token"])
    .where("row.id", "=", rowId)
    .executeTakeFirst();
}
