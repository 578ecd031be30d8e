import type { Kysely, Selectable } from "kysely";
import type {
  ConsentEventsTable,
  ContactMessagesTable,
  Database,
  OutboxTable,
  SubscribersTable,
} from "../database/tables.ts";
import { mailboxKey } from "../email/mailbox-key.ts";

export type MailboxRows = {
  subscriptions: Selectable<SubscribersTable>[];
  consentEvents: (Selectable<ConsentEventsTable> & { wording: string | null })[];
  messages: Selectable<ContactMessagesTable>[];
  deliveries: Selectable<OutboxTable>[];
};

/** Whether an address leads to the given mailbox, however it is capitalised, tagged or encoded. */
export function mailboxTest(email: string): (address: string) => boolean {
  const wanted = mailboxKey(email);
  return (address) => mailboxKey(address) === wanted;
}

/**
 * Every row that is about a mailbox: subscriptions with their ledger, messages of the contact form, and what the outbox holds of either,
 * delivered or not. Found by index, so that it costs what there is of the one person.
 */
export async function findMailboxRows(db: Kysely<Database>, email: string): Promise<MailboxRows> {
  const mailbox = mailboxKey(email);
  const rowsOf = <Table extends "subscribers" | "contact_messages" | "outbox">(table: Table) =>
    db
      .selectFrom(table as "outbox")
      .selectAll()
      .where("mailbox_key", "=", mailbox)
      .orderBy("id")
      .execute() as unknown as Promise<Selectable<Database[Table]>[]>;
  return {
    subscriptions: await rowsOf("subscribers"),
    consentEvents: await db
      .selectFrom("consent_events")
      .leftJoin("consent_wordings", "hash", "wording_hash")
      .selectAll("consent_events")
      .select("wording")
      .where("mailbox_key", "=", mailbox)
      .orderBy("id")
      .execute(),
    messages: await rowsOf("contact_messages"),
    deliveries: await rowsOf("outbox"),
  };
}
