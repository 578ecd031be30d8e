import { createHash } from "node:crypto";
import type { IssueRow } from "#contracts/issue.ts";
import { type PreparedBody, prepareIssueBody } from "../issue-body/prepare-issue-body.server.ts";

/** Bodies kept in memory: a year of weekly issues. */
const maxBodies = 52;

const kept = new Map<string, PreparedBody>();

/** The issue's body as a page may show it. Preparing is costly, so the last ones asked for are kept by their content. */
export function preparedBodyOf(issue: IssueRow): PreparedBody {
  const key = `${issue.id} ${createHash("sha256").update(issue.content_markdown).digest("base64")}`;
  const body = kept.get(key) ?? prepareIssueBody(issue.content_markdown);
  // A map keeps the order of insertion: the first key is the one asked for longest ago.
  kept.delete(key);
  kept.set(key, body);
  for (const oldest of kept.keys()) {
    if (kept.size <= maxBodies) break;
    kept.delete(oldest);
  }
  return body;
}
