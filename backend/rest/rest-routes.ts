import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import type { BackendOptions, RequestOrigin } from "#backend/backend.ts";
import { issuesTable } from "#contracts/issue.ts";
import { PostgrestError } from "./postgrest-error.ts";
import { readIssues } from "./read-issues.ts";
import { readQuery } from "./read-query.ts";

/** What supabase-js and its parts send; a browser on another site asks for leave first. */
const allowedHeaders = [
  "authorization",
  "x-client-info",
  "apikey",
  "content-type",
  "accept",
  "accept-profile",
  "content-profile",
  "prefer",
  "range",
  "range-unit",
  "x-retry-count",
  "x-supabase-api-version",
];
const preflightMaxAgeSeconds = 86_400;
const outageRetryAfterSeconds = 1;

const writeMethods = ["POST", "PUT", "PATCH", "DELETE"];

type Bindings = { Bindings: RequestOrigin };

/**
 * `/rest/v1`, as PostgREST answers Supabase's clients: the public key, or none, reads the newsletter's issues and
 * nothing else. Every refusal is a JSON object; an empty 404, or one with an array, is read by clients as success.
 */
export function createRestRoutes({ db, log }: Pick<BackendOptions, "db" | "log">): Hono<Bindings> {
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

  routes.get(`/${issuesTable}`, async (context) => {
    const query = readQuery(context.req.raw);
    const { status, body, contentRange } = await readIssues(db, query);
    const mediaType =
      query.shape === "object" ? "application/vnd.pgrst.object+json" : "application/json";
    context.header("Cache-Control", "no-cache");
    context.header("Content-Range", contentRange);
    return context.body(JSON.stringify(body), status, {
      "Content-Type": `${mediaType}; charset=utf-8`,
    });
  });
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

  routes.onError((error, context) => {
    if (error instanceof PostgrestError) {
      return answerError(context, error);
    }
    const requestId = context.env?.requestId;
    log.error({ err: error, requestId }, "Reading issues failed.");
    return answerError(context, databaseOutage());
  });
  return routes;
}

function answerError(context: Context<Bindings>, { status, body, headers }: PostgrestError) {
  return context.json(body, status, { "Cache-Control": "no-store", ...headers });
}

function notFound(code: string, message: string, details: string | null = null): PostgrestError {
  return new PostgrestError({ status: 404, code, message, details });
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
