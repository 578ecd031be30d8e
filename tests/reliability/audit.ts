import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import type { MailServer } from "../mail-server.ts";
import type { WebhookReceiver } from "../webhook-receiver.ts";
import { type Acknowledged, address, tracerOf } from "./under-fire.ts";

export type Audit = {
  acknowledged: number;
  /** Those that are not in the database: a success that was none. */
  notStored: string[];
  /** Those that are not in the database, or whose mail or webhook call never arrived. */
  lost: string[];
  storedTwice: string[];
  underTwoIds: string[];
};

type Places = { db: Kysely<Database>; mail: MailServer; hook: WebhookReceiver; contactTo: string };

/** Compares what visitors were told with what is in the database and what arrived. */
export async function audit(
  { messages, signups }: Acknowledged,
  { db, mail, hook, contactTo }: Places,
): Promise<Audit> {
  const stored = await db.selectFrom("contact_messages").select("message").execute();
  const storedTracers = stored.map(({ message }) => tracerOf(message));
  const subscribers = await db.selectFrom("subscribers").select("email").execute();
  const addresses = signups.map(address);
  const notStored = [
    ...missing(messages, storedTracers),
    ...missing(
      addresses,
      subscribers.map(({ email }) => email),
    ),
  ];

  const contactMails = groupIds(
    mail.received.filter(({ to }) => to.includes(contactTo)),
    ({ email }) => [tracerOf(email.text ?? ""), email.messageId ?? ""],
  );
  const confirmations = groupIds(
    mail.received.filter(({ to }) => to[0]?.endsWith("@visitors.example")),
    ({ to, email }) => [to[0] ?? "", email.messageId ?? ""],
  );
  const events = groupIds(hook.received, ({ headers, body }) => [
    (JSON.parse(body) as { data: { email: string } }).data.email,
    String(headers["webhook-id"]),
  ]);
  const undelivered = [
    ...missing(messages, [...contactMails.keys()]),
    ...missing(addresses, [...confirmations.keys()]),
    ...missing(addresses, [...events.keys()]),
  ];
  const groups = [contactMails, confirmations, events];
  return {
    acknowledged: messages.length + signups.length,
    notStored,
    lost: [...new Set([...notStored, ...undelivered])],
    storedTwice: repeated(storedTracers.filter(Boolean)),
    underTwoIds: groups.flatMap(withSeveralIds),
  };
}

function groupIds<Item>(items: Item[], read: (item: Item) => [key: string, id: string]) {
  const groups = new Map<string, Set<string>>();
  for (const item of items) {
    const [key, id] = read(item);
    groups.set(key, (groups.get(key) ?? new Set()).add(id));
  }
  return groups;
}

function withSeveralIds(groups: Map<string, Set<string>>): string[] {
  return [...groups].filter(([, ids]) => ids.size > 1).map(([key]) => key);
}

function missing(expected: string[], found: string[]): string[] {
  const all = new Set(found);
  return expected.filter((one) => !all.has(one));
}

function repeated(values: string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
}
