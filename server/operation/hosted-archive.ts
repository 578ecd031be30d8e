import { createHash } from "node:crypto";
import { issuesTable } from "#contracts/issue.ts";

/** However many pages are asked for, the project is asked no more often. A new issue is seen within two seconds. */
const lookEveryMs = 1_000;

/** A project that takes longer than this to answer doesn't count as ready. */
const lookTimeoutMs = 2_000;

/**
 * A project without tags has its newest titles and dates compared; of older issues one that is added or gone shows in the
 * count.
 */
const comparedRows = 30;

type HostedProject = { url: string; anonKey: string };

export type HostedArchive = {
  /** A word that is another one after a change to the issues; rejects where the project doesn't answer. */
  version(): Promise<string>;
  /** Whether the project gives its issues. */
  isReady(): Promise<boolean>;
};

/**
 * What there is to know of a hosted project's issues without reading a body: one small question a second at most, and
 * none while nobody asks. A backend that gives tags, such as this program's own, answers it with 304 until something has
 * changed.
 */
export function createHostedArchive(
  { url, anonKey }: HostedProject,
  { send = fetch, now = () => performance.now() }: { send?: typeof fetch; now?: () => number } = {},
): HostedArchive {
  const query = `select=id,title,publish_date&order=id.desc&limit=${comparedRows}`;
  const address = `${url}/rest/v1/${issuesTable}?${query}`;
  let last: { version: string; tag: string | null } | null = null;
  let looking: { version: Promise<string>; since: number } | null = null;

  async function look(): Promise<string> {
    const response = await send(address, {
      headers: {
        apikey: anonKey,
        Authorization: `Bearer ${anonKey}`,
        Prefer: "count=exact",
        ...(last?.tag ? { "If-None-Match": last.tag } : {}),
      },
      signal: AbortSignal.timeout(lookTimeoutMs),
    });
    const text = await response.text();
    if (response.status === 304 && last) return last.version;
    if (!response.ok) throw new Error(`The project answered ${response.status} for its issues.`);
    const tag = response.headers.get("ETag");
    const range = response.headers.get("Content-Range") ?? "";
    const version = tag ?? createHash("sha256").update(range).update(text).digest("base64url");
    last = { version, tag };
    return version;
  }

  function version(): Promise<string> {
    if (!looking || now() - looking.since >= lookEveryMs) {
      looking = { version: look(), since: now() };
      looking.version.catch(() => {});
    }
    return looking.version;
  }

  return {
    version,
    isReady: () =>
      version().then(
        () => true,
        () => false,
      ),
  };
}
