import { randomUUID } from "node:crypto";
import path from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import { type Kysely, type Selectable, sql } from "kysely";
import { amount, number } from "#content/amounts.ts";
import { foldText } from "#content/text.ts";
import type { Database, Db } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import {
  addressHash,
  addWordings,
  applyEvent,
  lockAllMailboxes,
  newSubscriberToken,
  readSubscriber,
  wordingHash,
} from "./apply-event.ts";
import { type Columns, type ListedSubscriber, type ListOptions, readList } from "./read-list.ts";
import { consentTextMaxLength, type OperatorDeps } from "./subscribe.ts";
import { type ListedState, listedState } from "./subscriber-states.ts";

/** `left` and `bounced` count subscribers here who left or bounced there since. */
type Counts = { added: number; erased: number; left: number; bounced: number };

/** The list's people by their state after it; `asked`: newcomers of whom the list doesn't say if they agreed. */
type Become = Record<ListedState | "erased" | "asked", number>;

type ImportOptions = ListOptions & {
  consent?: string;
  isDry: boolean;
  /** Asks each of those of whom the list doesn't say whether they agreed, by a mail. */
  ask?: boolean;
};

/** Imports a list, whole or not at all. Ends elsewhere end subscriptions here too; the erased stay out. */
export async function importList(
  { db, newsletterWebhookUrl, now }: OperatorDeps & { db: Kysely<Database> },
  { name, bytes }: { name: string; bytes: Buffer },
  { consent = "", isDry, ask = false, ...options }: ImportOptions,
) {
  const wording = consent.trim();
  const refuse = (problem: string, columns: Columns = {}) => {
    return { ok: false, problem, columns } as const;
  };
  // Mailchimp's contacts without consent, and those it has archived, have the columns of subscribers.
  if (/^(?:non[-_ ]?subscribed|archived)[-_]/i.test(path.basename(name))) {
    return refuse(
      "By its name, the file holds people who never subscribed, or are mailed no more.",
    );
  }
  const list = await readList(bytes, options, now);
  if (!list.ok) return list;
  const { columns, states, unsaid, problems, repeated } = list;
  if (!isDry && unsaid > 0 && !options.state && !ask) {
    return refuse(
      `The list doesn’t say of ${amount(unsaid, "person", "people")} whether they agreed. Say that they have, or have each of them asked.`,
      columns,
    );
  }
  if (!isDry && wording === "") {
    return refuse("Say what these people agreed to: the law asks for proof.", columns);
  }
  if (wording.length > consentTextMaxLength) {
    return refuse(
      `What they agreed to is longer than ${consentTextMaxLength} characters.`,
      columns,
    );
  }
  const subscribers = list.subscribers.map((one) => ({
    ...one,
    consentText: one.consentText || wording,
  }));
  const taken = await importSubscribers(db, subscribers, { now, newsletterWebhookUrl, ask, isDry });
  if (taken === null) {
    return refuse(
      "Another list was imported at the same time, and nothing of this one. Try again.",
      columns,
    );
  }
  const { become, ...counts } = taken;
  const { added, erased, left, bounced } = counts;
  const duplicate = subscribers.length - added - erased - left - bounced + repeated;
  const unsure = options.state ? "not confirmed" : "of whom the list doesn’t say if they agreed";
  const others = {
    ...endWords,
    erased: "erased, as they asked",
    asked: ask ? "asked by a mail first" : unsure,
  };
  const without = counted(become, others);
  const said = [
    `In the list: ${counted(states, { confirmed: "confirmed", ...endWords }) || "nobody"}.`,
    isDry ? `${number(added)} would be new.` : `Imported: ${number(added)} new.`,
    duplicate > 0 && `${number(duplicate)} here already, or twice in the list.`,
    `${amount(become.confirmed, "person of the list gets", "people of the list get")} the next issue.`,
    without !== "" && `Others don’t: ${without}.`,
    problems.length > 0 && `${amount(problems.length, "line")} can’t be read.`,
    ...list.said,
  ].filter((sentence) => sentence !== false);
  return { ok: true, said, columns, states, unsaid, ...counts, duplicate, problems } as const;
}

const endWords = {
  unconfirmed: "not confirmed",
  bounced: "whose mail came back",
  unsubscribed: "who left",
};

function counted(counts: Partial<Become>, words: Record<string, string>): string {
  return Object.entries(counts)
    .flatMap(([state, count]) =>
      count > 0 && words[state] ? `${number(count)} ${words[state]}` : [],
    )
    .join(", ");
}

const pieceRows = 500;

/** Between two pieces, others' requests are answered. */
async function* inPieces<Row>(rows: readonly Row[]): AsyncGenerator<Row[]> {
  for (let at = 0; at < rows.length; at += pieceRows) {
    yield rows.slice(at, at + pieceRows);
    await nextRound();
  }
}

/** Rolls the import back. */
class TakenBack extends Error {}

type Taken = Counts & { become: Become };

type Importing = {
  now: Date;
  newsletterWebhookUrl: string | null;
  ask?: boolean;
  isDry?: boolean;
};

/** Imports staged rows in one short transaction. Null where another import began meanwhile. */
export async function importSubscribers(
  db: Kysely<Database>,
  subscribers: readonly ListedSubscriber[],
  importing: Importing,
): Promise<Taken | null> {
  const list = randomUUID();
  let taken: Taken | null = null;
  await deleteStaged(db);
  try {
    for await (const piece of inPieces(subscribers)) {
      const rows = piece.map((listed) => stagedRow(list, listed));
      await db.insertInto("staged_subscribers").values(rows).execute();
    }
    await db.transaction().execute(async (trx) => {
      await lockAllMailboxes(trx);
      taken = await takeOver(trx, { list, subscribers, ...importing });
      if (taken === null || importing.isDry) throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  } finally {
    await db.deleteFrom("staged_subscribers").where("list", "=", list).execute();
  }
  return taken;
}

type Staged = Importing & { list: string; subscribers: readonly ListedSubscriber[] };

async function takeOver(
  trx: Db,
  { list, subscribers, ...importing }: Staged,
): Promise<Taken | null> {
  const { now, newsletterWebhookUrl, ask = false, isDry = false } = importing;
  const isErased = sql`address_hash in (select address_hash from erasures)`;
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
  const listedOf = new Map(subscribers.map((listed) => [listed.email, listed]));
  const ends = { leave: 0, bounce: 0 };
  const { rows: ended } = await sql<{ email: string }>`select staged.email
    from staged_subscribers as staged join subscribers using (mailbox_key)
    where list = ${list} and coalesce(staged.unsubscribed_at, staged.bounced_at) is not null
      and subscribers.token <> staged.token
      and subscribers.confirmed_at is not null and subscribers.unsubscribed_at is null`.execute(
    trx,
  );
  for (const { email } of ended) {
    const loaded = await readSubscriber(trx, mailboxKey(email), now);
    const listed = listedOf.get(email);
    const end = loaded.row && listed && (await endElsewhere(trx, loaded.row, listed));
    if (!end) continue;
    await applyEvent(trx, loaded, { ...end, way: "import", now, newsletterWebhookUrl });
    ends[end.event] += 1;
    await nextRound();
  }
  const { rows: waiting } = await sql<{ email: string }>`select staged.email
    from staged_subscribers as staged join subscribers on subscribers.token = staged.token
    where list = ${list} and subscribers.pending_since is not null order by staged.id`.execute(trx);
  const unsure = waiting.filter(({ email }) => listedOf.get(email)?.isUnsaid);
  for (const [at, { email }] of ask && !isDry ? unsure.entries() : []) {
    const mailAt = new Date(now.getTime() + at * askEveryMs);
    const loaded = await readSubscriber(trx, mailboxKey(email), now);
    await applyEvent(trx, loaded, { event: "ask", now, mailAt, newsletterWebhookUrl });
    await nextRound();
  }
  const { rows: states } = await sql<{ state: ListedState | "erased"; count: number }>`
    select case when ${isErased} then 'erased' else ${listedState} end as state, count(*) as count
    from staged_subscribers as staged
    left join subscribers on subscribers.mailbox_key = staged.mailbox_key
    where list = ${list} group by 1`.execute(trx);
  const become: Become = {
    ...{ confirmed: 0, unconfirmed: 0, bounced: 0, unsubscribed: 0 },
    ...{ erased: 0, asked: unsure.length },
  };
  let staged = 0;
  for (const { state, count } of states) {
    become[state] += count;
    staged += count;
  }
  if (staged !== subscribers.length) return null;
  become.unconfirmed -= unsure.length;
  const { leave: left, bounce: bounced } = ends;
  const added = Number(inserted.numAffectedRows);
  return { added, erased: become.erased, left, bounced, become };
}

/** Six a minute, far below the outbox's pace, so that visitors' confirmations go at once. */
const askEveryMs = 10_000;

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

/** The latest decision counts; at the same time, the one that stops mail. */
async function endElsewhere(
  db: Db,
  row: Selectable<Database["subscribers"]>,
  { unsubscribedAt, bouncedAt, isEndUndated = false }: ListedSubscriber,
): Promise<{ event: "leave" | "bounce"; occurredAt: Date } | null> {
  const event = unsubscribedAt ? "leave" : "bounce";
  const at = unsubscribedAt ?? bouncedAt ?? "";
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
