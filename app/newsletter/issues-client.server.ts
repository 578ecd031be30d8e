import { PostgrestClient } from "@supabase/postgrest-js";
import * as v from "valibot";
import { type IssueRow, issueRowSchema, issuesTable } from "#contracts/issue.ts";
import type { RequestOrigin } from "#contracts/request-origin.ts";
import type { SiteServices } from "../site-services.ts";
import type { IssueNeighbour } from "./issue-page.ts";

/** How issues are reached: the built-in backend in-process, or a hosted project over the network. */
export type IssuesAccess = Pick<SiteServices, "settings" | "backendFetch" | "reportError"> & {
  origin: RequestOrigin;
};

/** Longest that a visitor waits for one page's reads. The client's own retries would take 7 s, so they are off. */
export const readTimeoutMs = 3_000;

/** A PostgREST server answers with at most its own `max-rows` (1,000 on hosted projects); later rows need later pages. */
const pageRows = 1_000;
const maxPages = 20;

const neighbourSchema = v.pick(issueRowSchema, ["id", "title"]);
const headSchema = v.pick(issueRowSchema, ["id", "title", "publish_date"]);

/** An issue without its body. */
export type IssueHead = v.InferOutput<typeof headSchema>;

export type IssueHeadsRead =
  | { ok: true; heads: IssueHead[] }
  | { ok: false; reason: "unavailable" };

export type IssuesRead = { ok: true; issues: IssueRow[] } | { ok: false; reason: "unavailable" };

export type IssueRead =
  | {
      ok: true;
      issue: IssueRow;
      /** Its position counted from the oldest by id, from 1. */
      number: number;
      older: IssueNeighbour | null;
      newer: IssueNeighbour | null;
    }
  | { ok: false; reason: "not_found" | "unavailable" };

/** Every issue, newest first: all columns, ordered by id descending (specification, section 7). */
export async function readIssues(access: IssuesAccess): Promise<IssuesRead> {
  try {
    return { ok: true, issues: await readRows(access, "*", issueRowSchema) };
  } catch (error) {
    access.reportError(error);
    return { ok: false, reason: "unavailable" };
  }
}

/** Every issue's head, newest first: what a list needs, without reading the bodies. */
export async function readIssueHeads(access: IssuesAccess): Promise<IssueHeadsRead> {
  try {
    return { ok: true, heads: await readRows(access, "id,title,publish_date", headSchema) };
  } catch (error) {
    access.reportError(error);
    return { ok: false, reason: "unavailable" };
  }
}

/** One issue by id, with its number and its neighbours; no other issue's body is read. */
export async function readIssue(access: IssuesAccess, id: number): Promise<IssueRead> {
  try {
    const [issues, titles] = await Promise.all([
      readRows(access, "*", issueRowSchema, id),
      readRows(access, "id,title", neighbourSchema),
    ]);
    const [issue] = issues;
    if (!issue) return { ok: false, reason: "not_found" };
    // Two reads can straddle a change: an issue published in between is newer than all the titles read.
    const older = titles.filter((title) => title.id < id);
    return {
      ok: true,
      issue,
      number: older.length + 1,
      older: older[0] ?? null,
      newer: titles.findLast((title) => title.id > id) ?? null,
    };
  } catch (error) {
    access.reportError(error);
    return { ok: false, reason: "unavailable" };
  }
}

/** Rows by id descending, each id once; throws when the answer is late, refused or not made of such rows. */
async function readRows<Schema extends v.GenericSchema<unknown, { id: number }>>(
  access: IssuesAccess,
  columns: string,
  schema: Schema,
  id?: number,
): Promise<v.InferOutput<Schema>[]> {
  const deadline = AbortSignal.timeout(readTimeoutMs);
  const client = issuesClient(access);
  const rows = new Map<number, v.InferOutput<Schema>>();
  for (let page = 0, read = 0; page < maxPages; page += 1) {
    const all = client
      .from(issuesTable)
      .select(columns, { count: "exact" })
      .order("id", { ascending: false })
      .abortSignal(deadline);
    const wanted = id === undefined ? all : all.eq("id", id);
    const { data, error, count } = await (read === 0
      ? wanted
      : wanted.range(read, read + pageRows - 1));
    if (error) throw new Error(`The issues can't be read: ${error.message}`);
    const found = v.parse(v.array(schema), data);
    // An issue published between two pages moves the rest along by one, so a row may come twice.
    for (const row of found) rows.set(row.id, row);
    read += found.length;
    if (found.length === 0 || read >= (count ?? read)) break;
  }
  return [...rows.values()].sort((a, b) => b.id - a.id);
}

function issuesClient({ settings, backendFetch, origin }: IssuesAccess) {
  const hosted = settings.hostedBackend;
  const ask = backendFetch
    ? (request: Request) => backendFetch(request, origin)
    : (request: Request) => fetch(request);
  return new PostgrestClient(`${hosted?.url ?? settings.url}/rest/v1`, {
    headers: hosted ? { apikey: hosted.anonKey, Authorization: `Bearer ${hosted.anonKey}` } : {},
    retry: false,
    fetch: async (input, init) => {
      init?.signal?.throwIfAborted();
      const answer = ask(new Request(input, init));
      const response = await Promise.race([answer, lateness(init?.signal)]);
      // The client would read a 404 with an empty body, or with a list, as an empty table.
      if (!response.ok) throw new Error(`status ${response.status}: ${await excerpt(response)}`);
      return response;
    },
  });
}

/** Rejects when the signal fires: a database call in this process doesn't listen to it. */
function lateness(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

async function excerpt(response: Response): Promise<string> {
  return (await response.text()).slice(0, 300);
}
