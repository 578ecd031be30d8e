import { PostgrestClient } from "@supabase/postgrest-js";
import * as v from "valibot";
import { type IssueRow, issueRowSchema, issuesTable } from "#contracts/issue.ts";
import type { RequestOrigin } from "#contracts/request-origin.ts";
import type { SiteServices } from "../../site-services.ts";
import { fetchUnlessUnchanged } from "./etag-cache.server.ts";

/** How issues are reached: the built-in backend in-process, or a hosted project over the network. */
export type IssuesAccess = Pick<
  SiteServices,
  "settings" | "backendFetch" | "archiveVersion" | "reportError"
> & {
  origin: RequestOrigin;
};

/** The same, with what their bodies become. */
export type BodiesAccess = IssuesAccess & Pick<SiteServices, "preparedBodyOf">;

/** Longest that a visitor waits for one page's reads. The client's own retries would take 7 s, so they are off. */
export const readTimeoutMs = 3_000;

const headSchema = v.pick(issueRowSchema, ["id", "title", "publish_date"]);

/** An issue without its body. */
export type IssueHead = v.InferOutput<typeof headSchema>;

/** Issues whose ids lie between two others, which are left out; null leaves that end open. */
export type IdRange = { above: number | null; below: number | null };

/** What a page asks of the table: a window of titles and dates, a count, one body. No read grows with the archive. */
export type IssuesReader = {
  /** The newest `limit` issues of a range, newest first, and how many the range has in all. */
  heads(range: IdRange, limit: number): Promise<{ heads: IssueHead[]; total: number }>;
  count(range: IdRange): Promise<number>;
  /** A word that is another one after every change; null where there is none, or it can't be read just now. */
  version(): Promise<string | null>;
  /** One whole row; null where no issue has that id. */
  issue(id: number): Promise<IssueRow | null>;
};

/**
 * Reads for one page, all within {@link readTimeoutMs} from now. They reject when an answer is late, refused or not made
 * of issues.
 */
export function readerOfIssues(access: IssuesAccess): IssuesReader {
  const table = issuesClient(access).from(issuesTable);
  const deadline = AbortSignal.timeout(readTimeoutMs);

  async function heads({ above, below }: IdRange, limit: number) {
    let rows = table.select("id,title,publish_date", { count: "exact" });
    if (above !== null) rows = rows.gt("id", above);
    if (below !== null) rows = rows.lt("id", below);
    const { data, error, count } = await rows
      .order("id", { ascending: false })
      .limit(limit)
      .abortSignal(deadline);
    if (error) throw unreadable(error);
    const found = v.parse(v.array(headSchema), data);
    return { heads: found, total: count ?? found.length };
  }

  return {
    heads,
    count: async (range) => (await heads(range, 1)).total,
    async version() {
      if (!access.archiveVersion) return null;
      return await Promise.race([access.archiveVersion(), lateness(deadline)]).catch(() => null);
    },
    async issue(id) {
      const { data, error } = await table.select("*").eq("id", id).limit(1).abortSignal(deadline);
      if (error) throw unreadable(error);
      return v.parse(v.array(issueRowSchema), data)[0] ?? null;
    },
  };
}

function unreadable({ message }: { message: string }): Error {
  return new Error(`The issues can't be read: ${message}`);
}

function issuesClient({ settings, backendFetch, origin }: IssuesAccess) {
  const hosted = settings.hostedBackend;
  const ask = backendFetch
    ? (request: Request) => backendFetch(request, origin)
    : (request: Request) => fetchUnlessUnchanged(settings, request);
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
