import type { IssueRow } from "#contracts/issue.ts";
import { parseIssueId } from "../issue/issue-id.ts";
import { formatPublishDate } from "../issue/publish-date.server.ts";
import type { Archive, ListedIssue, ShownIssue } from "./archive.ts";
import { type ArchiveIndex, currentArchive, numberAt, placeOf } from "./archive-index.server.ts";
import { issueChoice } from "./issue-choice.server.ts";
import { type BodiesAccess, readerOfIssues } from "./issues-client.server.ts";

/** Issues listed under the dropdown, and on the page of an issue that isn't there. */
const listedIssues = 5;

/**
 * The archive with the chosen issue, or with the latest where none is chosen. An id that the archive doesn't have
 * shows the latest too, so that the visitor has something to read, but with status 404: the address is not a page.
 */
export async function loadArchive(
  access: BodiesAccess,
  chosen: string,
): Promise<{ archive: Archive; status: 200 | 404 | 503 }> {
  try {
    return await readChosen(access, chosen);
  } catch (error) {
    access.reportError(error);
    return { archive: { state: "failed" }, status: 503 };
  }
}

async function readChosen(access: BodiesAccess, chosen: string) {
  const chosenId = parseIssueId(chosen);
  const isChosen = chosen !== "";
  const reader = readerOfIssues(access);
  const [archive, chosenRow] = await Promise.all([
    currentArchive(access),
    chosenId === null ? null : reader.issue(chosenId),
  ]);
  const [latest] = archive.heads;
  const row = chosenRow ?? (latest ? await reader.issue(latest.id) : null);
  const isUnknown = isChosen && !chosenRow;
  const status = isUnknown ? (404 as const) : (200 as const);
  if (!row) return { archive: { state: "empty" as const }, status };
  const { position } = placeOf(archive, row.id);
  const { html } = await access.preparedBodyOf(row);
  return {
    archive: {
      state: "has-issues" as const,
      shown: showIssue(row, numberAt(archive, position), html),
      isLatest: position === 0,
      choice: issueChoice(archive, position),
      newest: newestIssues(archive).filter(({ id }) => id !== row.id),
      askedForUnknown: isUnknown,
    },
    status,
  };
}

/** The newest issues, as a list names them. */
export function newestIssues(archive: ArchiveIndex): ListedIssue[] {
  return archive.heads.slice(0, listedIssues).map((_, position) => listedAt(archive, position));
}

/** The issue at a place of the archive's heads, as a list names it. */
export function listedAt(archive: ArchiveIndex, position: number): ListedIssue {
  const head = archive.heads[position];
  if (!head) throw new RangeError(`The archive has no issue at ${position}.`);
  const number = numberAt(archive, position);
  return {
    id: head.id,
    number,
    title: titleOf(head.title, number),
    date: formatPublishDate(head.publish_date),
  };
}

/** A row as the page shows it, with its prepared body. */
export function showIssue(issue: IssueRow, number: number, html: string): ShownIssue {
  return {
    id: issue.id,
    number,
    date: formatPublishDate(issue.publish_date),
    title: titleOf(issue.title, number),
    html,
  };
}

/** An issue without a title is named by its number. */
export function titleOf(title: string, number: number): string {
  return title.trim() || `Issue #${number}`;
}
