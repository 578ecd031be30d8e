import { data } from "react-router";
import { newsletter } from "#content/pages/newsletter.ts";
import type { ArchiveIssue, IssueHead } from "#contracts/ports.ts";
import type { SiteServices } from "../site-services.ts";
import {
  type ArchivePage,
  cutAtWord,
  type IssuePage,
  type ListedIssue,
  optionLabel,
  parseIssueId,
  type ShownIssue,
  styleAttributeAsData,
} from "./issues.ts";
import { formatPublishDate, isoPublishDate } from "./publish-date.server.ts";

export type ArchiveAccess = Pick<SiteServices, "archive" | "reportError">;

type Status = 200 | 404 | 503;

/** Issues below the dropdown, and on the page of an unknown issue. */
const listedIssues = 5;

/** The archive with the chosen issue, or the latest. An unknown id also shows the latest, but with status 404. */
export async function loadArchive(
  { archive, reportError }: ArchiveAccess,
  chosen: string,
): Promise<{ page: ArchivePage; status: Status }> {
  try {
    const heads = await archive.heads();
    const chosenId = parseIssueId(chosen);
    const chosenIssue = chosenId === null ? null : await archive.issue(chosenId);
    const [latest] = heads;
    const issue = chosenIssue ?? (latest ? await archive.issue(latest.id) : null);
    const isUnknown = chosen !== "" && !chosenIssue;
    const status = isUnknown ? 404 : 200;
    if (!issue) return { page: { state: "empty" }, status };
    const page: ArchivePage = {
      state: "has-issues",
      shown: shownIssue(issue),
      isLatest: issue.id === latest?.id,
      choice: heads
        .slice(1)
        .map((head) => `${head.id} ${optionLabel(listed(head))}`)
        .join("\n"),
      newest: newestOf(heads).filter(({ id }) => id !== issue.id),
      askedForUnknown: isUnknown,
    };
    return { page, status };
  } catch (error) {
    reportError(error);
    return { page: { state: "failed" }, status: 503 };
  }
}

export async function loadIssue(
  { archive, reportError }: ArchiveAccess,
  idInAddress: string,
): Promise<{ page: IssuePage; status: Status }> {
  const id = parseIssueId(idInAddress);
  try {
    const issue = id === null ? null : await archive.issue(id);
    if (!issue) {
      const others = newestOf(await archive.heads());
      return { page: { state: "not-found", others }, status: 404 };
    }
    const page: IssuePage = {
      state: "found",
      issue: shownIssue(issue),
      description: descriptionOf(issue.plainText),
      datePublished: isoPublishDate(issue.publishDate),
      older: issue.older && listed(issue.older),
      newer: issue.newer && listed(issue.newer),
    };
    return { page, status: 200 };
  } catch (error) {
    reportError(error);
    return { page: { state: "failed" }, status: 503 };
  }
}

export function listed({ id, number, title, publishDate }: IssueHead): ListedIssue {
  return { id, number, title, date: formatPublishDate(publishDate) };
}

/** A loader's answer. Failures and fallbacks are never cached. */
export function answerWith<Shown>(shown: Shown, status: number) {
  return data(shown, status === 200 ? 200 : { status, headers: { "Cache-Control": "no-store" } });
}

function newestOf(heads: readonly IssueHead[]): ListedIssue[] {
  return heads.slice(0, listedIssues).map(listed);
}

function shownIssue(issue: ArchiveIssue): ShownIssue {
  return { ...listed(issue), html: stylesAsData(issue.html) };
}

const openingTag = /<[a-z][a-z0-9]*(?: [a-z-]+="[^"]*")+>/g;

/**
 * In prepared markup every `<` of text and every quotation mark in attributes is escaped, so a pattern finds the tags.
 */
function stylesAsData(preparedHtml: string): string {
  return preparedHtml.replace(openingTag, (tag) =>
    tag.replace(/ style="/, ` ${styleAttributeAsData}="`),
  );
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
