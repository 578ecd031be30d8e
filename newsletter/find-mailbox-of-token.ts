import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { isSubscriberToken } from "./subscriber-token.ts";

/** The mailbox that a link was mailed to: by the link that leaves, that confirms, or one from before. */
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
