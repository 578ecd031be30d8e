import { setImmediate as nextRound } from "node:timers/promises";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import PQueue from "p-queue";
import type { Logger } from "pino";
import type { RequestOrigin } from "#content/site-settings.ts";
import type { Database } from "#db/tables.ts";
import { createNetworkLimiter } from "./limits.ts";

/** A crowd is refused rather than kept in memory. */
const maxReads = 4;
const maxWaiting = 64;
/** A hundred a second, far more than a front end needs. */
const requestsPerNetwork = { count: 1_000, windowSeconds: 10 };
/** Supabase's `db-max-rows`. */
const maxRows = 1_000;
/** For several rows; a single body has no limit. */
const maxBodyBytes = 1_800_000;
const maxQueryLength = 4_096;

const issuesTable = "final_newsletters";

const issueColumns = ["id", "title", "content_markdown", "publish_date"] as const;

export type RestOptions = { db: Kysely<Database>; log: Pick<Logger, "error"> };

/**
 * `/rest/v1` as PostgREST answers Supabase's clients. Reads issues with a public key or none.
 * Clients read an empty 404 or an array as success, so refusals are objects.
 */
export function createRest({ db, log }: RestOptions): Hono<{ Bindings: RequestOrigin }> {
  const rest = new Hono<{ Bindings: RequestOrigin }>();
  const reads = new PQueue({ concurrency: maxReads });
  const limit = createNetworkLimiter(requestsPerNetwork);

  rest.get(`/${issuesTable}`, async (context) => {
    const waitSeconds = limit(context.env?.clientAddress ?? null);
    if (waitSeconds > 0) {
      const headers = { "Retry-After": String(waitSeconds) };
      throw refusal(429, "53400", "Too many requests in a short time.", { headers });
    }
    const query = readIssuesQuery(context.req.raw);
    const read = () => readIssues(db, query, context.req.method === "HEAD");
    if (reads.size >= maxWaiting) {
      const message = "Timed out acquiring connection from connection pool.";
      throw refusal(503, "PGRST003", message, { headers: retryAfter });
    }
    const { rows, total } = await reads.add(() => read().finally(nextRound));
    if (total !== null && query.offset > total) {
      throw unsatisfiable(
        `An offset of ${query.offset} was requested, but there are only ${total} rows.`,
        { "Content-Range": `*/${total}` },
      );
    }
    if (query.isObject && rows.length !== 1) {
      throw refusal(406, "PGRST116", "Cannot coerce the result to a single JSON object", {
        details: `The result contains ${rows.length} rows`,
      });
    }
    const text = JSON.stringify(query.isObject ? rows[0] : rows);
    const span = rows.length === 0 ? "*" : `${query.offset}-${query.offset + rows.length - 1}`;
    const isPart = total !== null && rows.length < total;
    return context.body(text, isPart ? 206 : 200, {
      "Cache-Control": "no-store",
      "Content-Range": `${span}/${total ?? "*"}`,
      "Content-Type": `application/${query.isObject ? "vnd.pgrst.object+" : ""}json; charset=utf-8`,
    });
  });
  rest.on(writeMethods, `/${issuesTable}`, () => {
    throw refusal(401, "42501", `permission denied for table ${issuesTable}`, {
      headers: { "WWW-Authenticate": "Bearer" },
    });
  });
  rest.all("/:table", ({ req }) => {
    const table = `public.${req.param("table")}`;
    throw refusal(404, "PGRST205", `Could not find the table '${table}' in the schema cache`);
  });
  rest.all("*", () => {
    throw refusal(404, "PGRST125", "Invalid path specified in request URL");
  });

  rest.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse();
    log.error({ err: error, requestId: context.env?.requestId }, "Issues could not be read");
    const message = "Database connection error. Retrying the connection.";
    return refusal(503, "PGRST000", message, { headers: retryAfter }).getResponse();
  });
  return rest;
}

const retryAfter = { "Retry-After": "1" };
const writeMethods = ["POST", "PUT", "PATCH", "DELETE"];

async function readIssues(db: Kysely<Database>, query: IssuesQuery, isHead: boolean) {
  const columns = isHead ? (["id"] as const) : query.columns;
  const transaction = db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only");
  return await transaction.execute(async (trx) => {
    let matching = trx.selectFrom(issuesTable);
    for (const { operator, ids } of query.filters) {
      // PostgreSQL can't read `()`.
      const operand = operator === "in" ? sql`(${sql.join([null, ...ids])})` : sql`${ids[0]}`;
      matching = matching.where(sql<boolean>`id ${sql.raw(operator)} ${operand}`);
    }
    let chosen = matching.limit(query.limit).offset(query.offset);
    for (const { column, direction } of query.order) chosen = chosen.orderBy(column, direction);
    if (columns.some((column) => column === bodyColumn))
      await refuseTooLong(trx, chosen.select("id"));
    const counted = query.isCounted
      ? await matching.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirst()
      : null;
    return {
      rows: await chosen.select(columns).execute(),
      total: counted?.total ?? null,
    };
  });
}

async function refuseTooLong(
  trx: Kysely<Database>,
  ids: SelectQueryBuilder<Database, typeof issuesTable, { id: number }>,
): Promise<void> {
  const { rows, bytes } = await trx
    .selectFrom(issuesTable)
    .select([
      sql<number>`count(*)`.as("rows"),
      sql<number>`coalesce(sum(octet_length(content_markdown)), 0)`.as("bytes"),
    ])
    .where("id", "in", ids)
    .executeTakeFirstOrThrow();
  if (rows <= 1 || bytes <= maxBodyBytes) return;
  throw overLimit(
    `The ${rows} rows hold more than ${maxBodyBytes} bytes of ${bodyColumn}, the most in one answer.`,
    `Ask for fewer rows at a time with limit and offset, or select other columns than ${bodyColumn}.`,
  );
}

type IssueColumn = (typeof issueColumns)[number];

/** Not sortable, since it is long. */
const bodyColumn = "content_markdown" satisfies IssueColumn;

type IssuesQuery = {
  columns: IssueColumn[];
  filters: { operator: (typeof operators)[keyof typeof operators]; ids: bigint[] }[];
  order: { column: IssueColumn; direction: "asc" | "desc" }[];
  offset: number;
  limit: number;
  isObject: boolean;
  isCounted: boolean;
};

const operators = {
  eq: "=",
  neq: "<>",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
  in: "in",
} as const;
const reservedNames = new Set(["select", "order", "limit", "offset", "columns", "on_conflict"]);

/** Throws a `refusal`. */
function readIssuesQuery({ url, headers }: Request): IssuesQuery {
  const { searchParams, search } = new URL(url);
  if (search.length > maxQueryLength)
    throw overLimit(`The query string has more than ${maxQueryLength} characters.`);
  if (headers.has("range")) throw unsatisfiable("Ask with limit and offset in place of Range.");
  const limit = readCount("limit", searchParams.get("limit") ?? String(maxRows));
  return {
    columns: readSelect(searchParams.get("select")?.trim() || "*"),
    filters: [...searchParams]
      .filter(([name]) => !reservedNames.has(name))
      .map(([name, text]) => readFilter(name, text)),
    order: readOrder(searchParams.get("order")?.trim() ?? ""),
    offset: readCount("offset", searchParams.get("offset") ?? "0"),
    limit: Math.min(limit, maxRows),
    isObject: readIsObject(headers.get("accept") ?? "*/*"),
    isCounted: /\bcount=(?:exact|planned|estimated)\b/.test(headers.get("prefer") ?? ""),
  };
}

function readSelect(text: string): IssueColumn[] {
  if (text === "*") return [...issueColumns];
  const names = text.split(",").map((name) => name.trim());
  if (!names.every((name) => /^\w+$/.test(name))) {
    throw parseError("select parameter", text, "* or columns, separated by commas");
  }
  return [...new Set(names.map(columnNamed))];
}

/** Ends with the id, so that pages never overlap. */
function readOrder(text: string): IssuesQuery["order"] {
  const order = (text === "" ? [] : text.split(",")).map((term) => {
    const [, name, direction = "asc"] = /^(\w+)(?:\.(asc|desc))?$/.exec(term.trim()) ?? [];
    if (name === undefined) throw parseError("order", text, "column[.asc|.desc]");
    const column = columnNamed(name);
    if (column === bodyColumn) throw overLimit(`order can't be by ${bodyColumn}.`);
    return { column, direction: direction as "asc" | "desc" };
  });
  return [...order, { column: "id", direction: "asc" }];
}

function columnNamed(name: string): IssueColumn {
  const column = issueColumns.find((known) => known === name);
  if (column) return column;
  throw refusal(400, "42703", `column ${issuesTable}.${name} does not exist`);
}

function readFilter(name: string, text: string): IssuesQuery["filters"][number] {
  if (/^(?:not\.)?(?:and|or)$/.test(name)) {
    throw parseError("logic tree", `${name}${text}`, "filters on single columns");
  }
  if (columnNamed(name) !== "id") throw parseError("filter", text, "a filter on id");
  const [, list] = /^in\.\((.*)\)$/.exec(text) ?? [];
  if (list !== undefined)
    return { operator: "in", ids: list === "" ? [] : list.split(",").map(readId) };
  const [, operator, id = ""] = /^(eq|neq|gte?|lte?)\.(.*)$/.exec(text) ?? [];
  if (!operator) throw parseError("filter", text, "operator (eq, neq, gt, gte, lt, lte, in)");
  return { operator: operators[operator as keyof typeof operators], ids: [readId(id)] };
}

function readId(text: string): bigint {
  if (!/^-?\d+$/.test(text)) {
    throw refusal(400, "22P02", `invalid input syntax for type bigint: "${text}"`);
  }
  const value = BigInt(text);
  if (BigInt.asIntN(64, value) !== value) {
    throw refusal(400, "22003", `value "${text}" is out of range for type bigint`);
  }
  return value;
}

function readCount(name: "limit" | "offset", text: string): number {
  if (!/^\d+$/.test(text)) throw parseError(name, text, "a number from 0");
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

function readIsObject(accept: string): boolean {
  if (accept.includes("application/vnd.pgrst.object+json")) return true;
  if (/\*\/\*|application\/(?:\*|json|vnd\.pgrst\.array\+json)/.test(accept)) return false;
  throw refusal(406, "PGRST107", `None of these media types are available: ${accept}`);
}

type RefusalOptions = { details?: string; hint?: string; headers?: Record<string, string> };

/** PostgREST's code or a SQLSTATE (https://docs.postgrest.org/en/stable/references/errors.html). */
function refusal(
  status: 400 | 401 | 404 | 406 | 416 | 429 | 503,
  code: string,
  message: string,
  { details, hint, headers }: RefusalOptions = {},
): HTTPException {
  const body = { code, details: details ?? null, hint: hint ?? null, message };
  const res = Response.json(body, { status, headers: { "Cache-Control": "no-store", ...headers } });
  return new HTTPException(status, { message, res });
}

function unsatisfiable(details: string, headers?: Record<string, string>): HTTPException {
  return refusal(416, "PGRST103", "Requested range not satisfiable", { details, headers });
}

function overLimit(message: string, hint?: string): HTTPException {
  return refusal(400, "54000", message, { hint });
}

function parseError(what: string, text: string, expected: string): HTTPException {
  const message = `"failed to parse ${what} (${text})" (line 1, column 1)`;
  return refusal(400, "PGRST100", message, { details: `expecting ${expected}` });
}
