import type { Kysely, Selectable } from "kysely";
import type {
  AddressChangesTable,
  BouncesTable,
  ConsentEventsTable,
  ContactMessagesTable,
  Database,
  OutboxTable,
  SendRowsTable,
  SubscribersTable,
} from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";

export type MailboxRows = {
  subscriptions: Selectable<SubscribersTable>[];
  consentEvents: (Selectable<ConsentEventsTable> & { wording: string | null })[];
  messages: Selectable<ContactMessagesTable>[];
  deliveries: Selectable<OutboxTable>[];
  issues: (Selectable<SendRowsTable> & { title: string })[];
  bounces: Selectable<BouncesTable>[];
  /** Wishes that wait for a confirmation, of this reader and for this address. */
  addressChanges: Selectable<AddressChangesTable>[];
};

/** Whether an address leads to the given mailbox, however it is capitalised, tagged or encoded. */
export function mailboxTest(email: string): (address: string) => boolean {
  const wanted = mailboxKey(email);
  return (address) => mailboxKey(address) === wanted;
}

/**
 * Every row that is about a mailbox: subscriptions with their ledger, changes of address that wait, the issues that were
 * sent to it and how it refused mail, messages of the contact form, and what the outbox holds of either, delivered or
 * not. Found by index, so that it costs what there is of the one person.
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
  const subscriptions = await rowsOf("subscribers");
  return {
    subscriptions,
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
    issues: await db
      .selectFrom("send_rows")
      .innerJoin("sends", "sends.id", "send_rows.send_id")
      .selectAll("send_rows")
      .select("title")
      .where("reader_id", "in", [0, ...subscriptions.map(({ id }) => id)])
      .orderBy("send_rows.id")
      .execute(),
    addressChanges: await db
      .selectFrom("address_changes")
      .selectAll()
      .where(({ or, eb }) => or([eb("from_mailbox", "=", mailbox), eb("to_mailbox", "=", mailbox)]))
      .orderBy("id")
      .execute(),
    bounces: await db
      .selectFrom("bounces")
      .selectAll()
      .where("mailbox_key", "=", mailbox)
      .orderBy("id")
      .execute(),
  };
}
