import { type Kysely, sql } from "kysely";
import { isPostgres, type OpenDatabase } from "./database-handle.ts";
import type { Database } from "./tables.ts";

type CopyResult =
  | { ok: true; tables: { table: string; rows: number }[] }
  /** `tables` have rows already. */
  | { ok: false; tables: string[] };

/** The tables with their primary keys, each after those that it refers to. The two others are derived from these. */
const keys = {
  final_newsletters: ["id"],
  issue_edits: ["issue_id"],
  issue_preheaders: ["issue_id"],
  imported_posts: ["source"],
  pictures: ["hash"],
  issue_pictures: ["issue_id", "hash"],
  drafts: ["id"],
  draft_pictures: ["draft_id", "hash"],
  subscribers: ["id"],
  former_tokens: ["token"],
  consent_wordings: ["hash"],
  consent_events: ["id"],
  bounces: ["id"],
  mail_pauses: ["address_hash"],
  erasures: ["address_hash"],
  departures: ["address_hash"],
  contact_messages: ["id"],
  outbox: ["id"],
  leases: ["name"],
  sends: ["id"],
  send_rows: ["id"],
  marks: ["name"],
  daily_visits: ["day", "kind", "name"],
  site_words: ["name"],
} satisfies Record<Exclude<keyof Database, "archive_version" | "prepared_issues">, string[]>;

/** Their rows hold whole issues or pictures, so fewer are in memory at once. */
const tablesOfBodies = new Set(["final_newsletters", "pictures", "sends", "drafts"]);

/**
 * Copies every row, ids included, into an empty database of the other kind with the same migrations, in one transaction.
 * Call it while nobody writes to the source.
 */
export async function copyDatabase(
  source: OpenDatabase,
  target: OpenDatabase,
): Promise<CopyResult> {
  const sqlite = source.kind === "sqlite" ? source : target;
  const schema = await sqlite.db.introspection.getTables();
  return await source.withoutTimeouts((from) =>
    target.withoutTimeouts((db) =>
      db.transaction().execute(async (to) => {
        const filled: string[] = [];
        for (const table of Object.keys(keys)) if (await countRows(to, table)) filled.push(table);
        if (filled.length > 0) return { ok: false, tables: filled };
        const tables: { table: string; rows: number }[] = [];
        for (const [table, key] of Object.entries(keys)) {
          // A table of issues that another program made may have more columns.
          const { columns = [] } = schema.find(({ name }) => name === table) ?? {};
          const names = columns.map(({ name }) => name);
          const rows = await copyRows(from, to, { table, key, columns: names });
          const there = await countRows(to, table);
          if (there !== rows) throw new Error(`${there} of ${rows} rows of ${table} arrived`);
          if (key[0] === "id") await carryLastIdOver(from, to, table);
          tables.push({ table, rows });
        }
        return { ok: true, tables };
      }),
    ),
  );
}

/** Whether a database has tables, but none of this program's. */
export async function hasOtherTables({ db }: OpenDatabase): Promise<boolean> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  return tables.length > 0 && !tables.some(({ name }) => name === "kysely_migration");
}

type Copied = {
  table: string;
  key: string[];
  columns: string[];
};

async function copyRows(
  source: Kysely<Database>,
  target: Kysely<Database>,
  { table, key, columns }: Copied,
): Promise<number> {
  const limit = tablesOfBodies.has(table) ? 5 : 500;
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const order = sql.join(key.map((column) => sql.ref(column)));
  let count = 0;
  let rest = sql``;
  for (;;) {
    const { rows } = await sql<Record<string, unknown>>`select ${names} from ${sql.table(table)}
      ${rest} order by ${order} limit ${sql.lit(limit)}`.execute(source);
    const last = rows.at(-1);
    if (!last) return count;
    const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
    await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(
      target,
    );
    rest = sql`where (${order}) > (${sql.join(key.map((column) => last[column]))})`;
    count += rows.length;
  }
}

async function countRows(db: Kysely<Database>, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*) as rows from ${sql.table(table)}`.execute(db);
  return rows[0]?.rows ?? 0;
}

/** So that the target never generates an id that the source has generated before. */
async function carryLastIdOver(source: Kysely<Database>, target: Kysely<Database>, table: string) {
  const { rows } = await sql<{ last: number | null }>`select ${
    isPostgres(source)
      ? sql`pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass)`
      : sql`(select seq from sqlite_sequence where name = ${table})`
  } as last`.execute(source);
  const last = rows[0]?.last ?? 0;
  if (last === 0) return;
  if (isPostgres(target)) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(target);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${table}`.execute(target);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(target);
}
