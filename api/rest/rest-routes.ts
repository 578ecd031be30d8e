import { setImmediate as nextRound } from "node:timers/promises";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { issuesTable } from "#contracts/issue.ts";
import type { RequestOrigin } from "#contracts/request-origin.ts";
import { isRefusedValue } from "#db/error-code.ts";
import type { Database } from "#db/tables.ts";
import type { ReadArchive } from "#newsletter/archive-reads.ts";
import { answerInPieces } from "../answer-in-pieces.ts";
import { createBoundedQueue } from "../bounded-queue.ts";
import { pauseBeforeRefusal } from "../refusal-pause.ts";
import { bodyColumn } from "./issue-column.ts";
import { overLimit, PostgrestError } from "./postgrest-error.ts";
import { readIssues } from "./read-issues.ts";
import { readQuery } from "./read-query.ts";
import { hasTag, tagOfArchive, tagOfText } from "./read-tags.ts";
import {
  longAnswerMaxMs,
  longAnswersMax,
  readQueueMax,
  readsAtOnce,
  readWaitMaxMs,
} from "./rest-limits.ts";

/** What supabase-js and its parts send; a browser on another site asks for leave first. */
const allowedHeaders = [
  "authorization",
  "x-client-info",
  "apikey",
  "content-type",
  "accept",
  "accept-profile",
  "content-profile",
  "if-none-match",
  "prefer",
  "range",
  "range-unit",
  "x-retry-count",
  "x-supabase-api-version",
];
const preflightMaxAgeSeconds = 86_400;
const outageRetryAfterSeconds = 1;

/** PostgREST's own, for a pool without a free connection. */
const noRoomCode = "PGRST003";

const readingFailed = "Reading issues failed.";

const writeMethods = ["POST", "PUT", "PATCH", "DELETE"];

export type RestRoutesOptions = {
  db: Kysely<Database>;
  /** Where issues are read, where that isn't always this database. */
  readArchive?: ReadArchive;
  log: Logger;
  /** Whether something more urgent is under way, which strangers' reads let go first. */
  letsOthersFirst?: () => boolean;
};

type Bindings = { Bindings: RequestOrigin };

/**
 * `/rest/v1`, as PostgREST answers Supabase's clients: the public key, or none, reads the newsletter's issues and
 * nothing else. Every refusal is a JSON object; an empty 404, or one with an array, is read by clients as success.
 */
export function createRestRoutes({
  db,
  readArchive = (work) => work(db),
  log,
  letsOthersFirst,
}: RestRoutesOptions): Hono<Bindings> {
  const routes = new Hono<Bindings>();
  routes.use(
    cors({
      origin: "*",
      allowMethods: ["GET", "HEAD", "OPTIONS", ...writeMethods],
      allowHeaders: allowedHeaders,
      exposeHeaders: ["Content-Range", "Content-Encoding", "Retry-After"],
      maxAge: preflightMaxAgeSeconds,
    }),
  );

  const reads = createBoundedQueue({
    concurrency: readsAtOnce,
    waitingMax: readQueueMax,
    waitMaxMs: readWaitMaxMs,
    letsOthersFirst,
  });
  let longAnswers = 0;

  routes.get(`/${issuesTable}`, async (context) => {
    // Pages are bounded where they are made, and don't stand behind strangers.
    if (context.env?.isOwnPage === true) return await answerRead(context, true);
    const read = async () => {
      // Reading holds the process up for a moment, so what else has come in goes first.
      await nextRound();
      return await answerRead(context, false);
    };
    const queued = await reads.run(read, { from: context.env?.clientAddress ?? null });
    if (!queued.ok) throw tooBusy();
    return queued.value;
  });

  async function answerRead(context: Context<Bindings>, isOwnPage: boolean): Promise<Response> {
    const query = readQuery(context.req.raw);
    const asked = context.req.header("If-None-Match") ?? null;
    const hasBodies = query.fields.some(({ column }) => column === bodyColumn);
    // Titles and dates are as they were where nothing has changed; a body is compared for itself, since it is long. Read
    // before the rows, so that the tag is never newer than they are.
    const archiveTag =
      isOwnPage || hasBodies ? null : await tagOfArchive(readArchive, context.req.raw);
    if (archiveTag && hasTag(asked, archiveTag)) return unchanged(archiveTag);
    const { status, contentRange, pieces } = await readIssues(readArchive, query, { isOwnPage });
    const mediaType =
      query.shape === "object" ? "application/vnd.pgrst.object+json" : "application/json";
    const headers = {
      "Cache-Control": "no-cache",
      "Content-Range": contentRange,
      "Content-Type": `${mediaType}; charset=utf-8`,
    };
    const [whole, ...more] = pieces;
    if (more.length === 0) {
      const text = (await whole?.()) ?? "";
      // The site's own pages know of changes from elsewhere.
      if (isOwnPage) return context.body(text, status, headers);
      const tag = archiveTag ?? tagOfText(text, headers);
      if (hasTag(asked, tag)) return unchanged(tag);
      return context.body(text, status, { ...headers, ETag: tag });
    }
    if (longAnswers >= longAnswersMax && !isOwnPage) throw tooBusy();
    longAnswers += 1;
    const done = () => {
      longAnswers -= 1;
    };
    const body = answerInPieces(pieces, {
      timeoutMs: longAnswerMaxMs,
      done,
      cutOff: context.env?.cutOff,
      onFailure: (err) => log.error({ err, requestId: context.env?.requestId }, readingFailed),
    });
    return context.body(body, status, headers);
  }
  routes.on(writeMethods, `/${issuesTable}`, () => {
    throw new PostgrestError({
      status: 401,
      code: "42501",
      message: `permission denied for table ${issuesTable}`,
      headers: { "WWW-Authenticate": "Bearer" },
    });
  });
  routes.all(`/${issuesTable}`, (context) => {
    throw new PostgrestError({
      status: 405,
      code: "PGRST117",
      message: `Unsupported HTTP method: ${context.req.method}`,
    });
  });
  routes.all("/rpc/:name", (context) => {
    const name = context.req.param("name");
    throw notFound(
      "PGRST202",
      `Could not find the function public.${name} without parameters in the schema cache`,
      `Searched for the function public.${name} without parameters, but no matches were found in the schema cache.`,
    );
  });
  routes.all("/:table", (context) => {
    const table = context.req.param("table");
    throw notFound("PGRST205", `Could not find the table 'public.${table}' in the schema cache`);
  });
  routes.all("*", () => {
    throw notFound("PGRST125", "Invalid path specified in request URL");
  });

  routes.onError(async (error, context) => {
    if (error instanceof PostgrestError) {
      // The place of whoever is refused has been given back by now, and a request for rows has no body to hold.
      if (error.body.code === noRoomCode) await pauseBeforeRefusal(context.req.raw.signal);
      return answerError(context, error);
    }
    if (isRefusedValue(error)) return answerError(context, overLimit(error.message));
    const requestId = context.env?.requestId;
    log.error({ err: error, requestId }, readingFailed);
    return answerError(context, databaseOutage());
  });
  return routes;
}

/** What the client has is still right (RFC 9110, section 15.4.5). */
function unchanged(tag: string): Response {
  return new Response(null, { status: 304, headers: { "Cache-Control": "no-cache", ETag: tag } });
}

function answerError(context: Context<Bindings>, { status, body, headers }: PostgrestError) {
  return context.json(body, status, { "Cache-Control": "no-store", ...headers });
}

function notFound(code: string, message: string, details: string | null = null): PostgrestError {
  return new PostgrestError({ status: 404, code, message, details });
}

// As PostgREST says that none of its connections came free in time.
function tooBusy(): PostgrestError {
  return new PostgrestError({
    status: 503,
    code: noRoomCode,
    message: "Timed out acquiring connection from connection pool.",
    headers: { "Retry-After": String(outageRetryAfterSeconds) },
  });
}

// What went wrong goes to the log; a visitor is told no more than that it did.
function databaseOutage(): PostgrestError {
  return new PostgrestError({
    status: 503,
    code: "PGRST000",
    message: "Database connection error. Retrying the connection.",
    headers: { "Retry-After": String(outageRetryAfterSeconds) },
  });
}
