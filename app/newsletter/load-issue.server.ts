import { newsletter } from "#content/pages/newsletter.ts";
import { cutAtWord } from "./cut-at-word.ts";
import { parseIssueId } from "./issue-id.ts";
import type { IssueNeighbour, IssuePage } from "./issue-page.ts";
import { type IssuesAccess, readIssue } from "./issues-client.server.ts";
import { showIssue, titleOf } from "./load-archive.server.ts";
import { preparedBodyOf } from "./prepared-bodies.server.ts";

/** One issue by the id in its address. What can't be an id is not looked up. */
export async function loadIssue(
  access: IssuesAccess,
  idInAddress: string,
): Promise<{ page: IssuePage; status: 200 | 404 | 503 }> {
  const id = parseIssueId(idInAddress);
  if (id === null) return { page: { state: "not-found" }, status: 404 };
  const read = await readIssue(access, id);
  if (!read.ok) {
    return read.reason === "not_found"
      ? { page: { state: "not-found" }, status: 404 }
      : { page: { state: "failed" }, status: 503 };
  }
  const { issue, number, older, newer } = read;
  return {
    page: {
      state: "found",
      issue: showIssue(issue, number),
      description: descriptionOf(preparedBodyOf(issue).plainText),
      datePublished: /^\d{4}-\d{2}-\d{2}/.test(issue.publish_date ?? "")
        ? issue.publish_date
        : null,
      older: older && named(older, number - 1),
      newer: newer && named(newer, number + 1),
    },
    status: 200,
  };
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

function named({ id, title }: IssueNeighbour, number: number): IssueNeighbour {
  return { id, title: titleOf(title, number) };
}
