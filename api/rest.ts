import { hash } from "node:crypto";
import { Hono } from "hono";
import { cors } from "hono/cors";
import { etag } from "hono/etag";
import { HTTPException } from "hono/http-exception";
import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import PQueue from "p-queue";
import type { Logger } from "pino";
import { issuesTable } from "#contracts/issue.ts";
import type { RequestOrigin } from "#contracts/site-settings.ts";
import type { Database } from "#db/tables.ts";
import { readArchiveVersion } from "#newsletter/archive.ts";
import { createNetworkLimiter } from "./limiter.ts";
import {
  bodyColumn,
  type IssuesQuery,
  overLimit,
  readIssuesQuery,
  refusal,
  unsatisfiable,
} from "./rest-query.ts";

const preflightMaxAgeSeconds = 86_400;
const retryAfter = { "Retry-After": "1" };
const writeMethods = ["POST", "PUT", "PATCH", "DELETE"];

/** Concurrent and queued reads: a crowd is refused rather than held in memory. */
const maxReads = 4;
const maxWaiting = 64;
/** A hundred a second: far more than a front end needs, too little to shut others out. */
const requestsPerNetwork = { count: 1_000, windowSeconds: 10 };
/** The most bytes of bodies in an answer of several rows; a single body has no limit. */
const maxBodyBytes = 1_800_000;

export type RestOptions = { db: Kysely<Database>; log: Logger };

/**
 * `/rest/v1` as PostgREST answers Supabase's clients: the public key, or none, reads issues and nothing else. Refusals
 * are JSON objects, since clients read an empty 404 or an array as success.
 */
export function createRest({ db, log }: RestOptions): Hono<{ Bindings: RequestOrigin }> {
  const rest = new Hono<{ Bindings: RequestOrigin }>();
  const reads = new PQueue({ concurrency: maxReads });
  const limit = createNetworkLimiter(requestsPerNetwork);

  // Like PostgREST, it allows whatever headers a preflight asks for.
  rest.use(
    cors({
      origin: "*",
      allowMethods: ["GET", "HEAD", "OPTIONS", ...writeMethods],
      exposeHeaders: ["Content-Range", "Content-Encoding", "Retry-After"],
      maxAge: preflightMaxAgeSeconds,
    }),
  );

  rest.use(async ({ req }, next) => {
    const isWrite = writeMethods.includes(req.method);
    const schema = req.header(isWrite ? "content-profile" : "accept-profile") ?? "public";
    if (schema === "public") return await next();
    throw refusal(406, "PGRST106", `Invalid schema: ${schema}`, {
      hint: "Only the following schemas are exposed: public",
    });
  });

  rest.get(`/${issuesTable}`, etag(), async (context) => {
    const waitSeconds = await limit(context.env?.clientAddress ?? null);
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
    const { rows, total, version } = await reads.add(read);
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
    const range = `${span}/${total ?? "*"}`;
    const isPart = total !== null && rows.length < total;
    return context.body(text, isPart ? 206 : 200, {
      "Cache-Control": "no-cache",
      "Content-Range": range,
      "Content-Type": `application/${query.isObject ? "vnd.pgrst.object+" : ""}json; charset=utf-8`,
      // Weak (RFC 9110, section 8.8.3): it ignores the content encoding.
      ETag: `W/"${hash("sha256", [version, range, text].join("\n"), "base64url")}"`,
    });
  });
  rest.on(writeMethods, `/${issuesTable}`, () => {
    throw refusal(401, "42501", `permission denied for table ${issuesTable}`, {
      headers: { "WWW-Authenticate": "Bearer" },
    });
  });
  rest.all(`/${issuesTable}`, ({ req }) => {
    throw refusal(405, "PGRST117", `Unsupported HTTP method: ${req.method}`);
  });
  rest.all("/rpc/:name", ({ req }) => {
    const called = `the function public.${req.param("name")} without parameters`;
    throw refusal(404, "PGRST202", `Could not find ${called} in the schema cache`, {
      details: `Searched for ${called}, but no matches were found in the schema cache.`,
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
    // Details go to the log, not to the visitor.
    log.error({ err: error, requestId: context.env?.requestId }, "Issues could not be read");
    const message = "Database connection error. Retrying the connection.";
    return refusal(503, "PGRST000", message, { headers: retryAfter }).getResponse();
  });
  return rest;
}

/** Rows, total and version, read in one snapshot. */
async function readIssues(db: Kysely<Database>, query: IssuesQuery, isHead: boolean) {
  // HEAD returns no rows, so don't read the bodies.
  const columns = isHead ? (["id"] as const) : query.columns;
  const hasBodies = columns.some((column) => column === bodyColumn);
  const transaction = db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only");
  return await transaction.execute(async (trx) => {
    let matching = trx.selectFrom(issuesTable);
    for (const { operator, value, isNegated } of query.filters) {
      const isEmpty = Array.isArray(value) && value.length === 0;
      const operand = Array.isArray(value) ? sql`(${sql.join(value)})` : sql`${value}`;
      const condition = isEmpty ? sql`1 = 0` : sql`id ${sql.raw(operator)} ${operand}`;
      matching = matching.where(sql<boolean>`${sql.raw(isNegated ? "not" : "")} (${condition})`);
    }
    let chosen = matching.limit(query.limit).offset(query.offset);
    for (const { column, direction } of query.order) chosen = chosen.orderBy(column, direction);
    if (hasBodies) await refuseTooLong(trx, chosen.select("id"));
    const counted = query.isCounted
      ? await matching.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirst()
      : null;
    return {
      rows: await chosen.select(columns).execute(),
      total: counted?.total ?? null,
      // The version stands for changes of unselected bodies; a selected body is in the hash.
      version: hasBodies ? "" : await readArchiveVersion(trx),
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
    `Ask for fewer rows at a time with limit and offset or a Range header, or select other columns than ${bodyColumn}.`,
  );
}
