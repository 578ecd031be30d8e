import { createHmac, timingSafeEqual } from "node:crypto";
import type { Db } from "#db/tables.ts";

/** 80 bits in hexadecimal: too many to guess. */
const proofLength = 20;

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
    `${RegExp.escape(local)}\\+([0-9a-z]{1,10})-([0-9a-f]{${proofLength}})@${RegExp.escape(domain)}`,
    "gi",
  );
  return {
    of({ id, email, token }: { id: number; email: string; token: string }): string {
      return `${local}+${id.toString(36)}-${proofOf({ id, email, token })}@${domain}`;
    },

    /** The row and the mailbox of the mail that one of the texts names and proves; null where none does. */
    async find(db: Db, texts: readonly string[]) {
      const found = texts.flatMap((text) => [...text.matchAll(written)]).slice(0, 20);
      for (const [, tag = "", proof = ""] of found) {
        const id = Number.parseInt(tag, 36);
        const mail = await db
          .selectFrom("send_rows")
          .innerJoin("subscribers", "subscribers.id", "reader_id")
          .select(["mailbox_key as mailbox", "email", "token"])
          .where("send_rows.id", "=", id)
          .executeTakeFirst();
        if (!mail) continue;
        const expected = Buffer.from(proofOf({ ...mail, id }));
        const isProved = timingSafeEqual(expected, Buffer.from(proof.toLowerCase()));
        if (isProved) return { rowId: id, mailbox: mail.mailbox };
      }
      return null;
    },
  };
}

function proofOf({ id, email, token }: { id: number; email: string; token: string }): string {
  const proof = createHmac("sha256", token).update(`returned ${id} ${email}`).digest("hex");
  return proof.slice(0, proofLength);
}
