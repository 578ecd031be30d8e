import { createHash } from "node:crypto";
import { PostgrestClient } from "@supabase/postgrest-js";
import * as v from "valibot";
import { hostedForms } from "#contracts/forms-client.ts";
import { issueRowSchema, issuesTable } from "#contracts/issue.ts";
import { type FormSender, type IssueQuery, maxFoundIssues } from "#contracts/ports.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { foldWord } from "#contracts/text.ts";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { type ArchiveSource, createArchive, type StoredHead } from "#newsletter/archive.ts";

/** Longest that a visitor waits for a read. The client's own retries would take 7 s, so they are off. */
const readTimeoutMs = 3_000;

/**
 * Without ETags, the newest titles and dates and the count are compared. Other changes, such as an old title's, are noticed
 * after this.
 */
const comparedRows = 30;
const unseenMaxMs = 5 * 60_000;

const headsSchema = v.array(v.pick(issueRowSchema, ["id", "title", "publish_date"]));

/** The archive and the forms of a hosted Supabase project, in place of the built-in backend. */
export function openHostedProject(project: NonNullable<SiteSettings["hostedBackend"]>) {
  const source = archiveOfHostedProject(project);
  const archive = createArchive(source, async (issue) => prepareIssueBody(issue.content_markdown));
  return {
    archive,
    formsFor: (sender: FormSender) => hostedForms(project, sender),
    isReady: () =>
      archive.version().then(
        () => true,
        () => false,
      ),
  };
}

export function archiveOfHostedProject(
  { url, anonKey }: { url: string; anonKey: string },
  { send = fetch, now = () => performance.now() } = {},
): ArchiveSource {
  const headers = { apikey: anonKey, Authorization: `Bearer ${anonKey}` };
  const client = new PostgrestClient(`${url}/rest/v1`, { headers, retry: false, fetch: send });
  const table = () => client.from(issuesTable);
  let looking: { version: Promise<string>; since: number } | null = null;

  // Not by the client, which returns no headers.
  async function look(): Promise<string> {
    const query = `select=id,title,publish_date&order=id.desc&limit=${comparedRows}`;
    const response = await send(`${url}/rest/v1/${issuesTable}?${query}`, {
      headers: { ...headers, Prefer: "count=exact" },
      signal: AbortSignal.timeout(readTimeoutMs),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The project answered ${response.status} for its issues.`);
    const range = response.headers.get("Content-Range") ?? "";
    const period = Math.floor(now() / unseenMaxMs);
    const hash = createHash("sha256").update(`${range} ${period} ${text}`).digest("base64url");
    // The tag of another instance of this site changes with every issue.
    return response.headers.get("ETag") ?? hash;
  }

  async function body(id: number) {
    const { data, error } = await table().select("*").eq("id", id).limit(1).abortSignal(deadline());
    if (error) throw unreadable(error);
    return v.parse(v.array(issueRowSchema), data)[0] ?? null;
  }

  /** Ids of issues whose bodies have the words, newest first; empty if the project doesn't support the filter. */
  async function idsByBody({ words, combine }: IssueQuery): Promise<number[]> {
    const conditions = words.map(({ word }) => `content_markdown.ilike.*${word}*`);
    const groups = combine === "all" ? conditions : [conditions.join(",")];
    let rows = table().select("id");
    for (const group of groups) rows = rows.or(group);
    const { data, error } = await rows
      .order("id", { ascending: false })
      .limit(maxFoundIssues)
      .abortSignal(deadline());
    return error ? [] : v.parse(v.array(v.object({ id: v.number() })), data).map(({ id }) => id);
  }

  return {
    body,
    version() {
      // At most once a second, however many pages are rendered.
      if (!looking || now() - looking.since >= 1_000) {
        looking = { version: look(), since: now() };
        looking.version.catch(() => {});
      }
      return looking.version;
    },
    async heads() {
      const heads: StoredHead[] = [];
      for (;;) {
        const below = heads.at(-1)?.id ?? Number.MAX_SAFE_INTEGER;
        const { data, error } = await table()
          .select("id,title,publish_date")
          .lt("id", below)
          .order("id", { ascending: false })
          // A PostgREST server may return fewer; later rows are then read by their ids.
          .limit(1_000)
          .abortSignal(deadline());
        if (error) throw unreadable(error);
        const rows = v.parse(headsSchema, data);
        if (rows.length === 0) return heads;
        for (const { id, title, publish_date: publishDate } of rows) {
          heads.push({ id, title, publishDate });
        }
      }
    },
    async search(query, { heads }) {
      const { words, combine } = query;
      if (words.length === 0) return [];
      const byBody = new Set(await idsByBody(query));
      const inTitles: number[] = [];
      const others: number[] = [];
      for (const { id, title } of heads) {
        const titleWords = foldWord(title).split(/[^\p{L}\p{N}\p{M}]+/u);
        const count = words.filter(({ word }) => titleWords.some((own) => own.startsWith(word)));
        if (count.length === words.length) inTitles.push(id);
        else if (byBody.has(id) || (combine === "any" && count.length > 0)) others.push(id);
      }
      return [...inTitles, ...others].slice(0, maxFoundIssues);
    },
    async plainTexts(ids) {
      const texts = new Map<number, string>();
      for (const id of ids) {
        const stored = await body(id);
        if (stored) texts.set(id, prepareIssueBody(stored.content_markdown).plainText);
      }
      return texts;
    },
    // A hosted project doesn't record edits.
    edits: async () => new Map(),
  };
}

function deadline(): AbortSignal {
  return AbortSignal.timeout(readTimeoutMs);
}

function unreadable({ message }: { message: string }): Error {
  return new Error(`The issues can't be read: ${message}`);
}
