import { newsletter } from "#content/pages/newsletter.ts";
import {
  type ArchiveIndex,
  currentArchive,
  numberAt,
  placeOf,
} from "../archive/archive-index.server.ts";
import { type BodiesAccess, readerOfIssues } from "../archive/issues-client.server.ts";
import { listedAt, newestIssues, showIssue } from "../archive/load-archive.server.ts";
import { cutAtWord } from "./cut-at-word.ts";
import { parseIssueId } from "./issue-id.ts";
import type { IssueNeighbour, IssuePage } from "./issue-page.ts";
import { isoPublishDate } from "./publish-moment.server.ts";

/**
 * One issue by the id in its address. What can't be an id is not looked up, but who asked for it is offered others of the
 * archive as it is now: that page is kept for as long as the archive's version says that nothing has changed.
 */
export async function loadIssue(
  access: BodiesAccess,
  idInAddress: string,
): Promise<{ page: IssuePage; status: 200 | 404 | 503 }> {
  const id = parseIssueId(idInAddress);
  try {
    const [archive, issue] = await Promise.all([
      currentArchive(access),
      id === null ? null : readerOfIssues(access).issue(id),
    ]);
    if (!issue) {
      return { page: { state: "not-found", others: newestIssues(archive) }, status: 404 };
    }
    const { position, isThere } = placeOf(archive, issue.id);
    const { html, plainText } = await access.preparedBodyOf(issue);
    return {
      page: {
        state: "found",
        // One that was published between the two reads isn't counted yet.
        issue: showIssue(issue, numberAt(archive, position) + (isThere ? 0 : 1), html),
        description: descriptionOf(plainText),
        datePublished: isoPublishDate(issue.publish_date),
        older: neighbourAt(archive, isThere ? position + 1 : position),
        newer: neighbourAt(archive, position - 1),
      },
      status: 200,
    };
  } catch (error) {
    access.reportError(error);
    return { page: { state: "failed" }, status: 503 };
  }
}

function neighbourAt(archive: ArchiveIndex, position: number): IssueNeighbour | null {
  if (!archive.heads[position]) return null;
  const { id, title } = listedAt(archive, position);
  return { id, title };
}

const descriptionLength = { min: 70, max: 160 };

function descriptionOf(plainText: string): string {
  const words = plainText.replace(/\s+/g, " ").trim();
  const enough =
    words.length >= descriptionLength.min
      ? words
      : `${words}${/[.!?…]$|^$/.test(words) ? "" : "."} ${newsletter.issue.description}`.trim();
  return cutAtWord(enough, descriptionLength.max);
}
