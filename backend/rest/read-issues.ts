import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import type { Database } from "#backend/database/tables.ts";
import { issuesTable } from "#contracts/issue.ts";
import type { Filter } from "./parse-filter.ts";
import { unsatisfiable } from "./parse-range.ts";
import { PostgrestError } from "./postgrest-error.ts";
import type { IssuesQuery } from "./read-query.ts";

type Row = Record<string, unknown>;

export type IssuesAnswer = {
  status: 200 | 206;
  body: Row[] | Row;
  /** `0-14/15`; `*` in place of rows where there are none, and of the total where it was not asked. */
  contentRange: string;
};

/** Runs a query and gives PostgREST's answer to it; throws a PostgrestError where that is an error. */
export async function readIssues(db: Kysely<Database>, query: IssuesQuery): Promise<IssuesAnswer> {
  const { rows, total } = await fetchRows(db, query);
  const { offset } = query.range;
  if (total !== null && offset > total) {
    throw unsatisfiable(`An offset of ${offset} was requested, but there are only ${total} rows.`);
  }
  const [row] = rows;
  if (query.shape === "object" && (row === undefined || rows.length > 1)) {
    throw new PostgrestError({
      status: 406,
      code: "PGRST116",
      message: "Cannot coerce the result to a single JSON object",
      details: `The result contains ${rows.length} rows`,
    });
  }
  const span = rows.length === 0 ? "*" : `${offset}-${offset + rows.length - 1}`;
  return {
    status: total !== null && rows.length < total ? 206 : 200,
    body: query.shape === "object" && row !== undefined ? row : rows,
    contentRange: `${span}/${total ?? "*"}`,
  };
}

async function fetchRows(
  db: Kysely<Database>,
  query: IssuesQuery,
): Promise<{ rows: Row[]; total: number | null }> {
  if (!query.counted) {
    return { rows: await selectRows(db, query), total: null };
  }
  // Rows and total of one moment: an issue may be published in between.
  return await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (trx) => {
      const { total } = await filtered(trx, query.filters)
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return { rows: await selectRows(trx, query), total };
    });
}

async function selectRows(db: Kysely<Database>, query: IssuesQuery): Promise<Row[]> {
  const columns = [...new Set(query.fields.map(({ column }) => column))];
  let select = filtered(db, query.filters).select(columns);
  for (const { column, direction, nulls } of query.order) {
    // SQLite and PostgreSQL put NULLs at different ends, so their place is always said.
    select = select.orderBy(column, (order) => {
      const directed = direction === "asc" ? order.asc() : order.desc();
      return nulls === "first" ? directed.nullsFirst() : directed.nullsLast();
    });
  }
  const rows = await select.limit(query.range.limit).offset(query.range.offset).execute();
  return rows.map((row) =>
    Object.fromEntries(query.fields.map(({ name, column }) => [name, row[column]])),
  );
}

function filtered(
  db: Kysely<Database>,
  filters: Filter[],
): SelectQueryBuilder<Database, typeof issuesTable, object> {
  let select = db.selectFrom(issuesTable);
  for (const filter of filters) {
    const test = filterToSql(filter);
    select = select.where(filter.negated ? sql<boolean>`not (${test})` : test);
  }
  return select;
}

function filterToSql(filter: Filter) {
  const column = sql.ref(filter.column);
  switch (filter.operator) {
    case "is null":
      return sql<boolean>`${column} is null`;
    case "in":
      return filter.values.length === 0
        ? sql<boolean>`1 = 0`
        : sql<boolean>`${column} in (${sql.join(filter.values)})`;
    default:
      return sql<boolean>`${column} ${sql.raw(filter.operator)} ${filter.value}`;
  }
}
