import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";

/** A new secret for the links that are mailed to a subscriber: 256 random bits as 43 characters. */
export function newSubscriberToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Whether a text has the form of a token. Anything else is unknown without a look at the database. */
export function isSubscriberToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** The mailbox that a link was mailed to: the link for leaving, the latest for confirming, or an earlier one. */
export async function findMailboxOfToken(
  db: Kysely<Database>,
  token: string,
): Promise<string | null> {
  if (!isSubscriberToken(token)) return null;
  for (const column of ["token", "confirm_token"] as const) {
    const subscriber = await db
      .selectFrom("subscribers")
      .select("mailbox_key")
      .where(column, "=", token)
      .executeTakeFirst();
    if (subscriber) return subscriber.mailbox_key;
  }
  const former = await db
    .selectFrom("former_tokens")
    .select("mailbox_key")
    .where("token", "=", token)
    .executeTakeFirst();
  return former?.mailbox_key ?? null;
}
