import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "#db/tables.ts";

/** A secret for mailed links: 256 random bits as 43 characters. */
export function newSubscriberToken(): string {
  return randomBytes(32).toString("base64url");
}

export function isSubscriberToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** The mailbox of an unsubscribe link, or of the latest or an earlier confirm link. */
export async function findMailboxOfToken(db: Db, token: string): Promise<string | null> {
  if (!isSubscriberToken(token)) return null;
  const { rows } = await sql<{ mailbox: string }>`
    select mailbox_key as mailbox from subscribers where token = ${token} or confirm_token = ${token}
    union select mailbox_key from former_tokens where token = ${token}`.execute(db);
  return rows[0]?.mailbox ?? null;
}
