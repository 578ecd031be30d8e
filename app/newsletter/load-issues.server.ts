import { data } from "react-router";
import { issueTopics } from "#content/issue-topics.ts";
import { allIssues } from "#content/pages/all-issues.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { cutAtWord } from "#content/text.ts";
import type { Archive, ArchiveIssue, IssueHead, SiteServices } from "../ports.ts";
import {
  type AllIssues,
  type ArchivePage,
  type IssuePage,
  type IssueTopic,
  type ListedIssue,
  optionLabel,
  parseIssueId,
  type ShownIssue,
  type YearOfIssues,
} from "./issues.ts";
import { formatPublishDate, isoPublishDate, lastModified } from "./publish-date.server.ts";

type ArchiveAccess = Pick<SiteServices, "archive" | "reportError">;

type Loaded<Page> = { page: Page; status: 200 | 404 };

/** Failures and fallbacks are never cached. */
async function answerFrom<Page>(
  { archive, reportError }: ArchiveAccess,
  load: (archive: Archive) => Promise<Loaded<Page>>,
) {
  const headers = { "Cache-Control": "no-store" };
  try {
    const { page, status } = await load(archive);
    return data<Page | { state: "failed" }>(page, status === 200 ? 200 : { status, headers });
  } catch (error) {
    reportError(error);
    return data<Page | { state: "failed" }>({ state: "failed" }, { status: 503, headers });
  }
}

/** An unknown id shows the latest with status 404. */
export function loadArchive(access: ArchiveAccess, chosen: string) {
  return answerFrom<ArchivePage>(access, async (archive) => {
    const heads = await archive.heads();
    const chosenId = parseIssueId(chosen);
    const chosenIssue = chosenId === null ? null : await archive.issue(chosenId);
    const [latest] = heads;
    const issue = chosenIssue ?? (latest ? await archive.issue(latest.id) : null);
    const isUnknown = chosen !== "" && !chosenIssue;
    const status = isUnknown ? 404 : 200;
    if (!issue) return { page: { state: "empty" }, status };
    const page = {
      state: "has-issues" as const,
      shown: shownIssue(issue),
      isLatest: issue.id === latest?.id,
      choice: heads.slice(1).map((head) => ({ id: head.id, label: optionLabel(listed(head)) })),
      newest: newestOf(heads).filter(({ id }) => id !== issue.id),
      askedForUnknown: isUnknown,
    };
    return { page, status };
  });
}

export function loadIssue(access: ArchiveAccess, idInAddress: string) {
  const id = parseIssueId(idInAddress);
  return answerFrom<IssuePage>(access, async (archive) => {
    const issue = id === null ? null : await archive.issue(id);
    if (!issue) {
      const others = newestOf(await archive.heads());
      return { page: { state: "not-found", others }, status: 404 };
    }
    const { title, html, plainText, publishDate } = issue;
    const edits = await archive.edits();
    const page = {
      state: "found" as const,
      issue: shownIssue(issue),
      description: descriptionOf(plainText),
      datePublished: isoPublishDate(publishDate),
      dateModified: lastModified(publishDate, edits.get(issue.id), new Date()),
      picture: firstOwnPicture(html),
      useCase: topicOf(title, plainText),
      older: issue.older && listed(issue.older),
      newer: issue.newer && listed(issue.newer),
    };
    return { page, status: 200 };
  });
}

export function listed({ id, number, title, publishDate }: IssueHead): ListedIssue {
  return { id, number, title, date: formatPublishDate(publishDate) };
}

function newestOf(heads: readonly IssueHead[]): ListedIssue[] {
  return heads.slice(0, 5).map(listed);
}

function shownIssue(issue: ArchiveIssue): ShownIssue {
  return { ...listed(issue), html: issue.html };
}

/** Smaller ones are logos. */
const pictureMinWidthPx = 300;

function firstOwnPicture(preparedHtml: string): string | null {
  for (const [tag] of preparedHtml.matchAll(/<img(?: [a-z-]+="[^"]*")+/g)) {
    const [, path] = / src="(\/[^/"][^"]*)"/.exec(tag) ?? [];
    const [, width] = / width="(\d+)/.exec(tag) ?? [];
    if (path && Number(width ?? pictureMinWidthPx) >= pictureMinWidthPx) return path;
  }
  return null;
}

/** Its title counts for all of them. */
const topicMinMentions = 3;

function topicOf(title: string, plainText: string): IssueTopic | null {
  const topics = issueTopics.map(({ path, name, words }) => {
    const pattern = new RegExp(`(?<!\\p{L})(?:${words.join("|")})s?(?!\\p{L})`, "giu");
    const inTitle = title.match(pattern) ? topicMinMentions : 0;
    return { path, name, mentions: inTitle + (plainText.match(pattern)?.length ?? 0) };
  });
  const [found] = topics.toSorted((a, b) => b.mentions - a.mentions);
  if (!found || found.mentions < topicMinMentions) return null;
  return { path: found.path, name: found.name };
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

/** As many of the newest years as fit one list. */
export function loadAllIssues(access: ArchiveAccess) {
  return answerFrom<AllIssues>(access, async (archive) => {
    const years = yearsOf(await archive.heads());
    const lists: YearOfIssues[] = [];
    let count = 0;
    for (const year of years) {
      count += year.count;
      // Two years of weekly issues.
      if (count > 104 && lists.length > 0) break;
      lists.push(year);
    }
    return { page: { state: "found", years: registerOf(years), lists, year: null }, status: 200 };
  });
}

/** `2026` or `undated`. */
export function loadIssueYear(access: ArchiveAccess, inAddress: string) {
  return answerFrom<AllIssues>(access, async (archive) => {
    const all = yearsOf(await archive.heads());
    const years = registerOf(all);
    const year = all.find(({ path }) => path === `${newsletter.all.path}/${inAddress}`);
    if (!year) return { page: { state: "not-found", years }, status: 404 };
    return { page: { state: "found", years, lists: [year], year }, status: 200 };
  });
}

export function pathsOfAllIssues(heads: readonly IssueHead[]): string[] {
  return [newsletter.all.path, ...yearsOf(heads).map(({ path }) => path)];
}

function registerOf(years: readonly YearOfIssues[]) {
  return years.map(({ label, path, count }) => ({ label, path, count }));
}

/** Newest first, undated last. */
function yearsOf(heads: readonly IssueHead[]): YearOfIssues[] {
  const years = Map.groupBy(
    heads,
    ({ publishDate }) => /^\d{4}(?=-)/.exec(publishDate ?? "")?.[0] ?? "",
  );
  return [...years]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([year, issues]) => ({
      label: year || allIssues.undated,
      path: `${newsletter.all.path}/${year || "undated"}`,
      count: issues.length,
      issues: issues.map(listed),
    }));
}
