import type { IssueRow } from "#contracts/issue.ts";
import { formatPublishDate } from "../dates.ts";
import type { Archive, ShownIssue } from "./archive.ts";
import { parseIssueId } from "./issue-id.ts";
import { type IssuesAccess, readIssues } from "./issues-client.server.ts";
import { preparedBodyOf } from "./prepared-bodies.server.ts";

/**
 * The archive with the chosen issue, or with the latest where none is chosen. An id that the archive doesn't have
 * shows the latest too, so that the visitor has something to read, but with status 404: the address is not a page.
 */
export async function loadArchive(
  access: IssuesAccess,
  chosen: string,
): Promise<{ archive: Archive; status: 200 | 404 | 503 }> {
  const read = await readIssues(access);
  if (!read.ok) return { archive: { state: "failed" }, status: 503 };
  const { issues } = read;
  const chosenId = parseIssueId(chosen);
  const position = chosen === "" ? 0 : issues.findIndex((issue) => issue.id === chosenId);
  const row = issues[Math.max(position, 0)];
  const status = position === -1 ? 404 : 200;
  if (!row) return { archive: { state: "empty" }, status };
  return {
    archive: {
      state: "has-issues",
      shown: showIssue(row, issues.length - Math.max(position, 0)),
      older: issues.slice(1).map((issue, index) => ({
        id: issue.id,
        number: issues.length - 1 - index,
        date: formatPublishDate(issue.publish_date),
      })),
      askedForUnknown: position === -1,
    },
    status,
  };
}

/** A row as the page shows it, its body prepared. */
export function showIssue(issue: IssueRow, number: number): ShownIssue {
  return {
    id: issue.id,
    number,
    date: formatPublishDate(issue.publish_date),
    title: titleOf(issue.title, number),
    html: preparedBodyOf(issue).html,
  };
}

/** An issue without a title is named by its number. */
export function titleOf(title: string, number: number): string {
  return title.trim() || `Issue #${number}`;
}
