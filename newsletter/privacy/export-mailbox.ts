import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { isConsentTo } from "../consent-ledger.ts";
import { findMailboxRows, type MailboxRows } from "./mailbox-rows.ts";

/** Everything that is kept about a mailbox, in the fields' own names; times are ISO 8601 in UTC. */
type MailboxExport = {
  address: string;
  exported_at: string;
  subscriptions: Record<string, string | null>[];
  /** Everything that happened with the consent, in its order. */
  consent_events: Record<string, string | null>[];
  messages: Record<string, string | number | null>[];
  deliveries: Record<string, unknown>[];
  /** The newsletter's issues that were sent, or were to be. */
  issues: Record<string, string | number | null>[];
  /** Changes of address that nobody has confirmed yet: to which address, and when it was asked for. */
  address_changes: { to_email: string; asked_at: string }[];
  /** How the address refused mail, and complaints. */
  bounces: Record<string, string | null>[];
};

/**
 * Collects what is kept about a mailbox for a request of access (GDPR, art. 15 and 20; PIPEDA, principle 4.9): all of
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
      ({ id, token, confirm_token, mailbox_key, mail_delivery_id, moved_from_id, ...kept }) => ({
        ...kept,
        ...proofOf(kept, rows.consentEvents),
      }),
    ),
    consent_events: rows.consentEvents.map(
      ({ id, mailbox_key, wording_hash, wording, ...entry }) => ({ ...entry, wording }),
    ),
    messages: rows.messages.map(({ submission_key, mailbox_key, ...kept }) => kept),
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
    issues: rows.issues.map(({ issue_id, title, state, attempts, settled_at, answer }) => ({
      issue_id,
      title,
      state,
      attempts,
      settled_at,
      answer,
    })),
    // Not who asked: that may be somebody else.
    address_changes: rows.addressChanges.map(({ to_email, asked_at }) => ({ to_email, asked_at })),
    bounces: rows.bounces.map(({ id, mailbox_key, report_key, ...kept }) => kept),
  };
}

/** The consent to the sign-up that stands; all of the ledger is beside it. */
function proofOf(
  subscription: { subscribed_at: string; email: string },
  entries: MailboxRows["consentEvents"],
) {
  const proof = entries.findLast((entry) => isConsentTo(subscription, entry));
  return {
    consent_text: proof?.wording ?? null,
    consent_page: proof?.page ?? null,
    consent_address: proof?.network_address ?? null,
  };
}

function withoutToken(payload: string): unknown {
  try {
    const { token, confirmToken, ...content } = JSON.parse(payload) as Record<string, unknown>;
    return content;
  } catch {
    return payload;
  }
}
