import { type Kysely, sql } from "kysely";
import type { Database } from "../tables.ts";

export type CopiedTable = {
  name: string;
  columns: readonly string[];
  /** The primary key's columns, in its order. */
  key: readonly { name: string; isText: boolean }[];
  /** Whether the database gives its ids, none of them twice. */
  givesIds: boolean;
};

/** What each database makes by itself of the rest, or keeps about itself. */
const ownTables = new Set([
  "archive_version",
  "prepared_issues",
  "search_words",
  "kysely_migration",
  "kysely_migration_lock",
]);

/**
 * The tables that a copy carries over, as a SQLite database has them: PostgreSQL's, after the same migrations, have the same
 * columns. A table comes after those that it refers to.
 */
export async function listCopiedTables(sqlite: Kysely<Database>): Promise<CopiedTable[]> {
  const { rows: all } = await sql<{ name: string }>`select name from pragma_table_list
    where schema = 'main' and type = 'table' and name not like 'sqlite_%' order by name`.execute(
    sqlite,
  );
  const names = all.map(({ name }) => name).filter((name) => !ownTables.has(name));
  const { rows: counted } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_schema where type = 'table'`.execute(sqlite);
  const tables = new Map<string, CopiedTable & { after: readonly string[] }>();
  for (const name of names) {
    const { rows: columns } = await sql<{ name: string; type: string; pk: number }>`
      select name, type, pk from pragma_table_info(${name}) order by cid`.execute(sqlite);
    const { rows: referred } = await sql<{ parent: string }>`
      select distinct "table" as parent from pragma_foreign_key_list(${name})`.execute(sqlite);
    const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
    if (key.length === 0) throw new Error(`The table ${name} has no primary key to copy it by.`);
    tables.set(name, {
      name,
      columns: columns.map((column) => column.name),
      key: key.map((column) => ({ name: column.name, isText: /text/i.test(column.type) })),
      givesIds: /autoincrement/i.test(counted.find((table) => table.name === name)?.sql ?? ""),
      after: referred.map(({ parent }) => parent),
    });
  }
  return inOrder(tables);
}

function inOrder(tables: Map<string, CopiedTable & { after: readonly string[] }>): CopiedTable[] {
  const ordered = new Map<string, CopiedTable>();
  const add = (name: string) => {
    const table = tables.get(name);
    if (!table || ordered.has(name)) return;
    for (const parent of table.after) if (parent !== name) add(parent);
    const { after, ...copied } = table;
    ordered.set(name, copied);
  };
  for (const name of tables.keys()) add(name);
  return [...ordered.values()];
}
