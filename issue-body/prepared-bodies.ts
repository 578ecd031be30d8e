import type { BodyPreparer } from "./body-preparer.ts";
import type { PreparedBody } from "./prepare-issue-body.ts";
import { preparedBodyKey } from "./rules-version.ts";

/** What a page shows of a body, and what describes it. */
export type ShownBody = Pick<PreparedBody, "html" | "plainText">;

/** An issue as it is stored. */
export type StoredIssue = { id: number; title: string; content_markdown: string };

/** Keeps prepared bodies beside the issues; a hosted project has no place for them. */
export type BodyStore = {
  find(issueId: number, key: string): Promise<ShownBody | null>;
  save(issue: StoredIssue, key: string, body: ShownBody): Promise<void>;
};

/** Prepared bodies kept in memory, in UTF-16 code units of their texts: a year of weekly issues. */
const memoryMaxLength = 4_000_000;

/** A body that could not be prepared whole is tried again after this. */
const fallbackTtlMs = 10 * 60_000;

/** Not whole is what is shown for a while of a body that could not be prepared. */
export type PreparedNow = ShownBody & { isWhole: boolean };

type Cached = { body: PreparedNow; until: number };

/** Gives an issue's body as a page may show it. */
export type PreparedBodyOf = (issue: StoredIssue) => Promise<ShownBody>;

/** The same for whoever stores it; `isKept` false for an issue that nobody has asked for, which needs no room in memory. */
export type PrepareNow = (
  issue: StoredIssue,
  options?: { isKept?: boolean },
) => Promise<PreparedNow>;

/**
 * From memory, else from the store, else prepared off this thread and stored: a body is prepared once in its life, and no
 * view of it waits for another's.
 */
export function createPreparedBodies({
  preparer,
  store,
  reportError,
}: {
  preparer: Pick<BodyPreparer, "prepare">;
  store: BodyStore | null;
  reportError: (error: unknown) => void;
}): PrepareNow {
  const cached = new Map<string, Cached>();
  const underWay = new Map<string, Promise<PreparedNow>>();
  let cachedLength = 0;

  function keep(name: string, body: PreparedNow): void {
    const until = body.isWhole ? Number.POSITIVE_INFINITY : Date.now() + fallbackTtlMs;
    forget(name);
    cached.set(name, { body, until });
    cachedLength += lengthOf(body);
    // A map keeps the order of insertion: the first is the one asked for longest ago.
    for (const oldest of cached.keys()) {
      if (cachedLength <= memoryMaxLength || cached.size === 1) break;
      forget(oldest);
    }
  }

  function forget(name: string): void {
    const found = cached.get(name);
    if (found) cachedLength -= lengthOf(found.body);
    cached.delete(name);
  }

  async function make(issue: StoredIssue, key: string, name: string, isKept: boolean) {
    const stored = await store?.find(issue.id, key);
    if (stored) {
      const body = { ...stored, isWhole: true };
      if (isKept) keep(name, body);
      return body;
    }
    const { body: made, isWhole } = await preparer.prepare(issue.content_markdown);
    const shown = { html: made.html, plainText: made.plainText };
    const body = { ...shown, isWhole };
    if (isKept || !isWhole) keep(name, body);
    // What can't be stored now, in a busy or read-only database, is shown all the same.
    if (isWhole) await store?.save(issue, key, shown).catch(reportError);
    return body;
  }

  return async (issue, { isKept = true } = {}) => {
    const key = preparedBodyKey(issue.content_markdown);
    const name = `${issue.id} ${key}`;
    const known = cached.get(name);
    if (known && known.until > Date.now()) {
      cached.delete(name);
      cached.set(name, known);
      return known.body;
    }
    const making =
      underWay.get(name) ?? make(issue, key, name, isKept).finally(() => underWay.delete(name));
    underWay.set(name, making);
    return await making;
  };
}

function lengthOf({ html, plainText }: ShownBody): number {
  return html.length + plainText.length;
}
