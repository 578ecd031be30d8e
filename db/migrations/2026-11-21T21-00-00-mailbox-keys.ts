import { domainToASCII } from "node:url";
import { type Kysely, PostgresAdapter, sql } from "kysely";

/** Rows in memory at once, whatever the table holds. */
const batchRows = 2_000;

type Row = { id: number; text: string };

/** One key for a mailbox on everything that is about a person, so that it is found by index and not by reading it all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table contact_messages add column mailbox_key text not null default ''`.execute(
    db,
  );
  await sql`alter table subscribers add column mailbox_key text not null default ''`.execute(db);
  // The operator's own mail is about nobody.
  await sql`alter table outbox add column mailbox_key text`.execute(db);

  await fill(db, "contact_messages", "email", mailboxKey);
  await fill(db, "subscribers", "email", mailboxKey);
  await fill(db, "outbox", "payload", mailboxIn);

  await sql`create index contact_messages_mailbox on contact_messages (mailbox_key, id)`.execute(
    db,
  );
  await sql`create index subscribers_mailbox on subscribers (mailbox_key, id)`.execute(db);
  await sql`create index outbox_mailbox on outbox (mailbox_key, id)
    where mailbox_key is not null`.execute(db);
}

async function fill(
  db: Kysely<unknown>,
  table: string,
  column: string,
  keyOf: (text: string) => string | null,
): Promise<void> {
  const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  for (let afterId = 0; ; ) {
    const { rows } = await sql<Row>`select id, ${sql.ref(column)} as text from ${sql.table(table)}
      where id > ${afterId} order by id limit ${batchRows}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    afterId = Number(last.id);
    const keys = JSON.stringify(
      rows.map(({ id, text }) => ({ id: Number(id), mailbox_key: keyOf(text) })),
    );
    const source = onPostgres
      ? sql`json_to_recordset(${keys}::json) as k(id bigint, mailbox_key text)`
      : sql`(select value ->> 'id' as id, value ->> 'mailbox_key' as mailbox_key
          from json_each(${keys})) as k`;
    await sql`update ${sql.table(table)} set mailbox_key = k.mailbox_key
      from ${source}
      where ${sql.table(table)}.id = k.id and k.mailbox_key is not null`.execute(db);
  }
}

/** The visitor's address that a payload names. */
function mailboxIn(payload: string): string | null {
  try {
    const { email, data } = JSON.parse(payload) as { email?: unknown; data?: { email?: unknown } };
    const address = email ?? data?.email;
    return typeof address === "string" ? mailboxKey(address) : null;
  } catch {
    const [address] = payload.match(/[^\s<>"',:;]+@[^\s<>"',:;]+/) ?? [];
    return address === undefined ? null : mailboxKey(address);
  }
}

// What follows is the key as it was at the time of this migration.

const dotlessDomains = new Set(["gmail.com", "googlemail.com"]);
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const unplain = /[\s\p{Cc}\p{Cs}<>()[\]\\,;:"@\ufffd]/u;
const asciiDomain = /^(?:[a-z0-9_-]{1,63}\.)+[a-z0-9_-]{1,63}$/;

function mailboxKey(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = at < 0 ? "" : foldDomain(email.slice(at + 1));
  const untagged = fold(email.slice(0, Math.max(0, at))).replace(/(?<=.)\+.*$/s, "");
  const local = dotlessDomains.has(domain) ? untagged.replaceAll(".", "") : untagged;
  if (local === "" || unplain.test(local) || !asciiDomain.test(domain)) return fold(email);
  return `${local}@${domain === "googlemail.com" ? "gmail.com" : domain}`;
}

function fold(text: string): string {
  return text.normalize("NFKC").replace(invisible, "").toLowerCase().normalize("NFKC");
}

function foldDomain(text: string): string {
  const plain = text.normalize("NFKC");
  if (unplain.test(plain) || /[%/?#]/.test(plain)) return "";
  return domainToASCII(plain).replace(/\.$/, "");
}
