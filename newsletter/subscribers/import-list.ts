import { randomUUID } from "node:crypto";
import path from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import { type Kysely, type Selectable, sql } from "kysely";
import { amount, number } from "#content/amounts.ts";
import { foldText } from "#db/hold-text.ts";
import type { Database, Db } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { addWordings, applyEvent, wordingHash } from "./apply-event.ts";
import { type Columns, listedStates } from "./list-columns.ts";
import {
  addressHash,
  erasedAmong,
  lockAllMailboxes,
  newSubscriberToken,
  readSubscriber,
} from "./load-subscriber.ts";
import {
  consentTextMaxLength,
  type LineProblem,
  type ListedSubscriber,
  type ListOptions,
  type ReadList,
  readList,
} from "./read-list.ts";
import type { OperatorDeps } from "./subscribe.ts";
import type { ListedState } from "./subscriber-states.ts";

/** `left` and `bounced` count subscribers here who left or bounced there since. */
type ImportCounts = { added: number; erased: number; left: number; bounced: number };

type ImportedList = ImportCounts & {
  ok: true;
  said: string[];
  columns: Columns;
  states: Record<ListedState, number>;
  duplicate: number;
  problems: LineProblem[];
};

/**
 * Imports a list in CSV, whole or not at all. No mail goes out. Ends elsewhere end subscriptions
 * here too; the erased stay out.
 */
export async function importList(
  { db, newsletterWebhookUrl, now }: OperatorDeps & { db: Kysely<Database> },
  { name, bytes }: { name: string; bytes: Buffer },
  { consent = "", isDry, ...options }: ListOptions & { consent?: string; isDry: boolean },
): Promise<ImportedList | (ReadList & { ok: false })> {
  const refuse = (problem: string) => ({ ok: false, problem, columns: {} }) as const;
  const wording = consent.trim();
  if (!isDry && wording === "") {
    return refuse("Say what these people agreed to: the law asks for proof.");
  }
  if (wording.length > consentTextMaxLength) {
    return refuse(`What they agreed to is longer than ${consentTextMaxLength} characters.`);
  }
  // Mailchimp's contacts without consent, and those it has archived, have the columns of subscribers.
  if (/^(?:non[-_ ]?subscribed|archived)[-_]/i.test(path.basename(name))) {
    return refuse(
      "By its name, the file holds people who never subscribed, or are mailed no more.",
    );
  }
  const list = await readList(bytes, options, now);
  if (!list.ok) return list;
  const subscribers = list.subscribers.map((one) => ({
    ...one,
    consentText: one.consentText || wording,
  }));
  const counts = isDry
    ? await countImport(db, subscribers)
    : await importSubscribers(db, subscribers, { now, newsletterWebhookUrl });
  if (counts === null) {
    return refuse(
      "Another list was imported at the same time, and nothing of this one. Try again.",
    );
  }
  const { columns, states, problems, repeated } = list;
  const { added, erased, left, bounced } = counts;
  const duplicate = subscribers.length - added - erased - left - bounced + repeated;
  const become = { ...counts, duplicate };
  const said = [...describeOutcome(list, become, isDry), ...list.said];
  return { ok: true, said, columns, states, ...become, problems };
}

function describeOutcome(
  { states, problems }: ReadList & { ok: true },
  { added, duplicate, left, bounced, erased }: ImportCounts & { duplicate: number },
  isDry: boolean,
): string[] {
  const words = {
    confirmed: "confirmed",
    unconfirmed: "not confirmed",
    bounced: "whose mail came back",
    unsubscribed: "who left",
  };
  const found = listedStates.flatMap((state) =>
    states[state] > 0 ? `${number(states[state])} ${words[state]}` : [],
  );
  const all = [
    `In the list: ${found.join(", ") || "nobody"}.`,
    isDry ? `${number(added)} would be new.` : `Imported: ${number(added)} new. No mail was sent.`,
    duplicate > 0 && `${number(duplicate)} here already, or twice in the list.`,
    left > 0 &&
      `${amount(left, "subscriber")} until now left there: no issue goes to them any more.`,
    bounced > 0 && `${amount(bounced, "subscriber")} until now whose mail came back there.`,
    erased > 0 && `${number(erased)} left out, as they asked to be erased.`,
    problems.length > 0 && `${amount(problems.length, "line")} can’t be read.`,
  ];
  return all.filter((sentence) => sentence !== false);
}

const pieceRows = 500;

/** Between two pieces, others' requests are answered. */
async function* inPieces<Row>(rows: readonly Row[]): AsyncGenerator<Row[]> {
  for (let at = 0; at < rows.length; at += pieceRows) {
    yield rows.slice(at, at + pieceRows);
    await nextRound();
  }
}

async function countImport(
  db: Db,
  subscribers: readonly ListedSubscriber[],
): Promise<ImportCounts> {
  const counts = { added: 0, erased: 0, left: 0, bounced: 0 };
  for await (const piece of inPieces(subscribers)) {
    const erased = await erasedAmong(
      db,
      piece.map(({ email }) => email),
    );
    const mailboxes = piece.map(({ email }) => mailboxKey(email));
    counts.erased += erased.size;
    const rows = await db
      .selectFrom("subscribers")
      .selectAll()
      .where("mailbox_key", "in", mailboxes)
      .execute();
    const known = new Map(rows.map((row) => [row.mailbox_key, row]));
    for (const [at, listed] of piece.entries()) {
      if (erased.has(listed.email)) continue;
      const row = known.get(mailboxes[at] ?? "");
      const end = row && (await endElsewhere(db, row, listed));
      if (!row) counts.added += 1;
      else if (end) counts[end.event === "leave" ? "left" : "bounced"] += 1;
    }
  }
  return counts;
}

/** Imports staged rows in one short transaction. Null where another import began meanwhile. */
export async function importSubscribers(
  db: Kysely<Database>,
  subscribers: readonly ListedSubscriber[],
  { now = new Date(), newsletterWebhookUrl = null }: Partial<Omit<OperatorDeps, "db">> = {},
): Promise<ImportCounts | null> {
  const list = randomUUID();
  await deleteStaged(db);
  try {
    for await (const piece of inPieces(subscribers)) {
      const rows = piece.map((listed) => stagedRow(list, listed));
      await db.insertInto("staged_subscribers").values(rows).execute();
    }
    return await db.transaction().execute(async (trx) => {
      await lockAllMailboxes(trx);
      return await takeOver(trx, { list, subscribers, now, newsletterWebhookUrl });
    });
  } finally {
    await db.deleteFrom("staged_subscribers").where("list", "=", list).execute();
  }
}

async function takeOver(
  trx: Db,
  {
    list,
    subscribers,
    now,
    newsletterWebhookUrl,
  }: Omit<OperatorDeps, "db"> & { list: string; subscribers: readonly ListedSubscriber[] },
): Promise<ImportCounts | null> {
  const isErased = sql`address_hash in
    (select address_hash from erasures union select address_hash from departures)`;
  const { rows: counted } = await sql<{ staged: number; erased: number }>`
    select count(*) as staged, count(*) filter (where ${isErased}) as erased
    from staged_subscribers where list = ${list}`.execute(trx);
  if (counted[0]?.staged !== subscribers.length) return null;
  const columns = sql.raw(`email, mailbox_key, token, subscribed_at, confirmed_at, unsubscribed_at,
    bounced_at, pending_email, pending_since, consent_ends_at, search_text`);
  const inserted = await sql`insert into subscribers (${columns})
    select ${columns} from staged_subscribers where list = ${list} and not ${isErased}
    order by id on conflict (mailbox_key) do nothing`.execute(trx);
  const wordings = [...new Set(subscribers.map(({ consentText }) => consentText))];
  for await (const piece of inPieces(wordings)) await addWordings(trx, piece);
  await sql`insert into consent_events (event, mailbox_key, email, occurred_at, recorded_at,
      wording_hash, page, network_address)
    select 'imported', staged.mailbox_key, staged.email, staged.subscribed_at, ${now.toISOString()},
      wording_hash, page, network_address
    from staged_subscribers as staged join subscribers on subscribers.token = staged.token
    where list = ${list} order by staged.id`.execute(trx);
  const counts = { added: Number(inserted.numAffectedRows), left: 0, bounced: 0 };
  const { rows: ended } = await sql<{ email: string }>`select staged.email
    from staged_subscribers as staged join subscribers using (mailbox_key)
    where list = ${list} and coalesce(staged.unsubscribed_at, staged.bounced_at) is not null
      and subscribers.token <> staged.token
      and subscribers.confirmed_at is not null and subscribers.unsubscribed_at is null`.execute(
    trx,
  );
  const listedOf = new Map(subscribers.map((listed) => [listed.email, listed]));
  for (const { email } of ended) {
    const loaded = await readSubscriber(trx, mailboxKey(email), now);
    const listed = listedOf.get(email);
    const end = loaded.row && listed && (await endElsewhere(trx, loaded.row, listed));
    if (!end) continue;
    await applyEvent(trx, loaded, { ...end, way: "import", now, newsletterWebhookUrl });
    counts[end.event === "leave" ? "left" : "bounced"] += 1;
    await nextRound();
  }
  return { ...counts, erased: counted[0].erased };
}

export async function deleteStaged(db: Db): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    await lockAllMailboxes(trx);
    const { numDeletedRows } = await trx.deleteFrom("staged_subscribers").executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}

function stagedRow(list: string, listed: ListedSubscriber) {
  const { email, subscribedAt, confirmedAt, unsubscribedAt } = listed;
  const bouncedAt = unsubscribedAt ? null : (listed.bouncedAt ?? null);
  const isWaiting = !confirmedAt && !unsubscribedAt && !bouncedAt;
  return {
    list,
    address_hash: addressHash(email),
    wording_hash: wordingHash(listed.consentText),
    page: listed.consentPage,
    network_address: listed.consentAddress,
    email,
    mailbox_key: mailboxKey(email),
    token: newSubscriberToken(),
    subscribed_at: subscribedAt,
    confirmed_at: confirmedAt ?? bouncedAt,
    unsubscribed_at: unsubscribedAt,
    bounced_at: bouncedAt,
    pending_email: isWaiting ? email : null,
    pending_since: isWaiting ? subscribedAt : null,
    consent_ends_at: listed.consentEndsAt ?? null,
    search_text: foldText(email),
  };
}

/**
 * Judges how a subscriber ended elsewhere. The latest decision counts; at the same time, the one
 * that stops mail.
 */
async function endElsewhere(
  db: Db,
  row: Selectable<Database["subscribers"]>,
  { unsubscribedAt, bouncedAt, isEndUndated = false }: ListedSubscriber,
): Promise<{ event: "leave" | "bounce"; occurredAt: Date } | null> {
  const event = unsubscribedAt ? "leave" : "bounce";
  const at = unsubscribedAt ?? bouncedAt;
  if (!at || !row.confirmed_at || row.unsubscribed_at) return null;
  if (event === "bounce" && row.bounced_at !== null) return null;
  const end = { event, occurredAt: new Date(at) } as const;
  const entries = await db
    .selectFrom("consent_events")
    .select(["event", "recorded_at"])
    .where("mailbox_key", "=", row.mailbox_key)
    .orderBy("id")
    .execute();
  const latest = (name: string) =>
    entries.findLast((entry) => entry.event === name)?.recorded_at ?? null;
  const importedAt = latest("imported");
  const releasedAt = event === "bounce" ? latest("released") : null;
  const isOwn = importedAt === null || latest("confirmed") !== null;
  if (isEndUndated) return isOwn || row.pending_since || releasedAt ? null : end;
  // An import without times stored its own time as the confirmation's.
  const confirmedAt = !isOwn && row.confirmed_at === importedAt ? null : row.confirmed_at;
  const decisions = [confirmedAt, row.pending_since, releasedAt];
  return decisions.every((one) => one === null || at >= one) ? end : null;
}
