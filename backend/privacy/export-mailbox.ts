import type { Kysely } from "kysely";
import type { Database } from "../database/tables.ts";
import { findMailboxRows } from "./mailbox-rows.ts";

/** Everything that is held about a mailbox, in the fields' own names; times are ISO 8601 in UTC. */
export type MailboxExport = {
  address: string;
  exported_at: string;
  subscriptions: Record<string, string | null>[];
  messages: Record<string, string | number | null>[];
  deliveries: Record<string, unknown>[];
};

/**
 * Collects what is held about a mailbox for a request of access (GDPR, art. 15 and 20; PIPEDA, principle 4.9): all of
 * it but the secrets of the links, which would let whoever gets the file act for the person.
 */
export async function exportMailbox(
  db: Kysely<Database>,
  { email, now }: { email: string; now: Date },
): Promise<MailboxExport> {
  const rows = await findMailboxRows(db, email);
  return {
    address: email,
    exported_at: now.toISOString(),
    subscriptions: rows.subscriptions.map(
      ({ id, token, email_key, alias_of, mailbox_key, confirmation_delivery_id, ...held }) => held,
    ),
    messages: rows.messages.map(({ submission_key, mailbox_key, ...held }) => held),
    deliveries: rows.deliveries.map((row) => ({
      delivery_id: row.delivery_id,
      kind: row.kind,
      created_at: row.created_at,
      delivered_at: row.delivered_at,
      failed_at: row.failed_at,
      attempts: row.attempts,
      last_error: row.last_error,
      content: withoutToken(row.payload),
    })),
  };
}

function withoutToken(payload: string): unknown {
  try {
    const { token, ...content } = JSON.parse(payload) as Record<string, unknown>;
    return content;
  } catch {
    return payload;
  }
}
