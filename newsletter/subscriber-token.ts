import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";

/** A secret for mailed links: 256 random bits as 43 characters. */
export function newSubscriberToken(): string {
  return randomBytes(32).toString("base64url");
}

export function isSubscriberToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** The mailbox of an unsubscribe link, or of the latest or an earlier confirm link. */
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
