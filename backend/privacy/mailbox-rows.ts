import { domainToUnicode } from "node:url";
import type { Kysely, Selectable } from "kysely";
import type {
  ContactMessagesTable,
  Database,
  OutboxTable,
  SubscribersTable,
} from "../database/tables.ts";
import { mailboxKey } from "../email/mailbox-key.ts";

/** Deliveries looked through at once. */
const pageRows = 500;

export type MailboxRows = {
  subscriptions: Selectable<SubscribersTable>[];
  messages: Selectable<ContactMessagesTable>[];
  deliveries: Selectable<OutboxTable>[];
};

/** Whether an address leads to the given mailbox, however it is capitalised, tagged or encoded. */
export function mailboxTest(email: string): (address: string) => boolean {
  const wanted = readableKey(email);
  return (address) => readableKey(address) === wanted;
}

/**
 * Every row that is about a mailbox: subscriptions, messages of the contact form, and what the outbox holds of either,
 * delivered or not. Only what was there at the moment `until`, where one is given (ISO 8601).
 */
export async function findMailboxRows(
  db: Kysely<Database>,
  email: string,
  until = "9999",
): Promise<MailboxRows> {
  const isTheirs = mailboxTest(email);
  const subscribers = await db.selectFrom("subscribers").select(["id", "email"]).execute();
  const spellings = await db.selectFrom("contact_messages").select("email").distinct().execute();
  const subscriberIds = subscribers.filter((row) => isTheirs(row.email)).map(({ id }) => id);
  const addresses = spellings.map((row) => row.email).filter(isTheirs);
  const subscriptions = subscriberIds.length
    ? await db
        .selectFrom("subscribers")
        .selectAll()
        .where("id", "in", subscriberIds)
        .where("subscribed_at", "<=", until)
        .orderBy("id")
        .execute()
    : [];
  const messages = addresses.length
    ? await db
        .selectFrom("contact_messages")
        .selectAll()
        .where("email", "in", addresses)
        .where("received_at", "<=", until)
        .orderBy("id")
        .execute()
    : [];
  return { subscriptions, messages, deliveries: await findDeliveries(db, isTheirs, until) };
}

async function findDeliveries(
  db: Kysely<Database>,
  isTheirs: (address: string) => boolean,
  until: string,
): Promise<Selectable<OutboxTable>[]> {
  const found: Selectable<OutboxTable>[] = [];
  for (let afterId = 0; ; ) {
    const page = await db
      .selectFrom("outbox")
      .selectAll()
      .where("id", ">", afterId)
      .where("created_at", "<=", until)
      .orderBy("id")
      .limit(pageRows)
      .execute();
    found.push(...page.filter((row) => addressesIn(row.payload).some(isTheirs)));
    afterId = page.at(-1)?.id ?? afterId;
    if (page.length < pageRows) return found;
  }
}

/** The visitor's address that a payload names; of one that is no JSON, whatever looks like an address. */
function addressesIn(payload: string): string[] {
  try {
    const { email, data } = JSON.parse(payload) as { email?: unknown; data?: { email?: unknown } };
    return [email, data?.email].filter((address) => typeof address === "string");
  } catch {
    return payload.match(/[^\s<>"',:;]+@[^\s<>"',:;]+/g) ?? [];
  }
}

/** Mail programs write a domain with letters beyond ASCII in its encoded form (RFC 5891). */
function readableKey(email: string): string {
  const key = mailboxKey(email);
  const at = key.lastIndexOf("@");
  return at < 0 ? key : `${key.slice(0, at)}@${domainToUnicode(key.slice(at + 1))}`;
}
