import {
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  sql,
} from "kysely";
import { issuesTable } from "#contracts/issue.ts";
import { isPostgres } from "#db/is-postgres.ts";
import type { Database, IssuesTable } from "#db/tables.ts";
import { bodyColumn } from "./issue-column.ts";
import type { Filter } from "./parse-filter.ts";
import type { SelectedField } from "./parse-select.ts";
import type { IssuesQuery } from "./read-query.ts";

/** A row as the text of a JSON object. */
type JsonRow = { id: number; json: string };

/** A row without its body, as far as it is asked for. */
export type IssueHead = Partial<Selectable<IssuesTable>> & { id: number };

/** What is asked for of the rows asked for beside their bodies, in the order asked for. */
export async function selectHeads(db: Kysely<Database>, query: IssuesQuery): Promise<IssueHead[]> {
  const columns = query.fields.map(({ column }) => column).filter((name) => name !== bodyColumn);
  // Whatever is selected goes through the sorting, with every row of the table: few columns, and nothing worked out.
  let select = filtered(db, query.filters).select([...new Set(["id" as const, ...columns])]);
  for (const { column, direction, nulls } of query.order) {
    // SQLite and PostgreSQL put NULLs at different ends, so their place is always said.
    select = select.orderBy(column, (order) => {
      const directed = direction === "asc" ? order.asc() : order.desc();
      return nulls === "first" ? directed.nullsFirst() : directed.nullsLast();
    });
  }
  return await select.limit(query.range.limit).offset(query.range.offset).execute();
}

/** How many rows there are, whatever the range. */
export async function countRows(db: Kysely<Database>, query: IssuesQuery): Promise<number> {
  const { total } = await filtered(db, query.filters)
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}

/** How long the bodies are, in bytes. Both databases know without reading them. */
export async function bodySizes(db: Kysely<Database>, ids: number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom(issuesTable)
    .select(["id", sql<number | null>`octet_length(${sql.ref(bodyColumn)})`.as("bytes")])
    .where(isAmong(db, "id", ids))
    .execute();
  return new Map(rows.map(({ id, bytes }) => [id, bytes ?? 0]));
}

/** Whole rows, in no order. */
export async function selectRows(
  db: Kysely<Database>,
  fields: SelectedField[],
  ids: number[],
): Promise<JsonRow[]> {
  return await db
    .selectFrom(issuesTable)
    .select(["id", jsonObject(db, fields).as("json")])
    .where(isAmong(db, "id", ids))
    .execute();
}

function filtered(
  db: Kysely<Database>,
  filters: Filter[],
): SelectQueryBuilder<Database, typeof issuesTable, object> {
  let select = db.selectFrom(issuesTable);
  for (const filter of filters) {
    const test = filterToSql(db, filter);
    select = select.where(filter.negated ? sql<boolean>`not (${test})` : test);
  }
  return select;
}

function filterToSql(db: Kysely<Database>, filter: Filter): RawBuilder<boolean> {
  const column = sql.ref(filter.column);
  switch (filter.operator) {
    case "is null":
      return sql<boolean>`${column} is null`;
    case "in":
      return isAmong(db, filter.column, filter.values);
    default:
      return sql<boolean>`${column} ${sql.raw(filter.operator)} ${filter.value}`;
  }
}

// One parameter, however long the list is: the statements that SQLite keeps prepared stay few and short.
function isAmong(
  db: Kysely<Database>,
  name: string,
  values: readonly (number | bigint | string)[],
): RawBuilder<boolean> {
  const column = sql.ref(name);
  if (isPostgres(db)) return sql<boolean>`${column} = any(${values})`;
  const list = values.map((value) =>
    typeof value === "string" ? JSON.stringify(value) : String(value),
  );
  return sql<boolean>`${column} in (select value from json_each(${`[${list.join()}]`}))`;
}

// Made into JSON where the rows are, which spares this process most of the work. Names are parameters, never SQL.
function jsonObject(db: Kysely<Database>, fields: SelectedField[]): RawBuilder<string> {
  const members = sql.join(
    fields.map(({ name, column }) => sql`cast(${name} as text), ${sql.ref(column)}`),
  );
  return isPostgres(db)
    ? sql<string>`cast(json_build_object(${members}) as text)`
    : sql<string>`json_object(${members})`;
}
