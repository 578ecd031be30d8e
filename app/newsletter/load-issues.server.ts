import { data } from "react-router";
import { issueTopics } from "#content/issue-topics.ts";
import { allIssues } from "#content/pages/all-issues.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import type { ArchiveIssue, IssueHead } from "#contracts/ports.ts";
import type { SiteServices } from "../site-services.ts";
import {
  type AllIssues,
  type ArchivePage,
  cutAtWord,
  type IssuePage,
  type IssueTopic,
  type ListedIssue,
  optionLabel,
  parseIssueId,
  type RegisterYear,
  type ShownIssue,
  styleAttributeAsData,
} from "./issues.ts";
import { formatPublishDate, isoPublishDate, lastModified } from "./publish-date.server.ts";

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
    const { title, html, plainText, publishDate } = issue;
    const edits = await archive.edits();
    const page: IssuePage = {
      state: "found",
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

/** A smaller one is a logo or a mark, and makes no sharing card. */
const pictureMinWidthPx = 300;

function firstOwnPicture(preparedHtml: string): string | null {
  for (const [tag] of preparedHtml.matchAll(/<img(?: [a-z-]+="[^"]*")+/g)) {
    const [, path] = / src="(\/[^/"][^"]*)"/.exec(tag) ?? [];
    const [, width] = / width="(\d+)/.exec(tag) ?? [];
    if (path && Number(width ?? pictureMinWidthPx) >= pictureMinWidthPx) return path;
  }
  return null;
}

/** How often an issue must say a use case's words to be about it. Its title counts for all of them. */
const topicMinMentions = 3;

/** The use case whose words the issue says most often; null if none is said often enough. */
function topicOf(title: string, plainText: string): IssueTopic | null {
  let found: (IssueTopic & { mentions: number }) | null = null;
  for (const { path, name, words } of issueTopics) {
    const pattern = new RegExp(`(?<!\\p{L})(?:${words.join("|")})s?(?!\\p{L})`, "giu");
    const inTitle = title.match(pattern) ? topicMinMentions : 0;
    const mentions = inTitle + (plainText.match(pattern)?.length ?? 0);
    if (mentions < topicMinMentions || (found && mentions <= found.mentions)) continue;
    found = { path, name, mentions };
  }
  return found && { path: found.path, name: found.name };
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

/** Per list: two years of weekly issues. */
const listMaxIssues = 104;

type Loaded = { all: AllIssues; status: Status };

/** All years, and as many of the newest issues as fit one list. */
export async function loadAllIssues(access: ArchiveAccess): Promise<Loaded> {
  return await withArchive(access, (heads) => {
    const years = yearsOf(heads);
    let room = listMaxIssues;
    const lists = [];
    for (const year of years) {
      room -= year.issues.length;
      if (room < 0 && lists.length > 0) break;
      lists.push(listOf(year, 1));
    }
    return found({ years: years.map(registerYear), lists, part: null });
  });
}

/** A year by its address, `2026`, or a later page of a long one, `2026-2`. */
export async function loadIssueYear(access: ArchiveAccess, inAddress: string): Promise<Loaded> {
  const [, name, pageInAddress = "1"] =
    /^(\d{4}|undated)(?:-([1-9]\d{0,3}))?$/.exec(inAddress) ?? [];
  const page = Number(pageInAddress);
  return await withArchive(access, (heads) => {
    const years = yearsOf(heads);
    const register = years.map(registerYear);
    const chosen = years.find((year) => nameOf(year) === name);
    const pages = pagesOf(chosen);
    if (!chosen || page > pages || inAddress.endsWith("-1")) {
      return { all: { state: "not-found", years: register }, status: 404 };
    }
    const part = {
      year: registerYear(chosen),
      page,
      pages,
      newer: page > 1 ? partPath(chosen, page - 1) : null,
      older: page < pages ? partPath(chosen, page + 1) : null,
    };
    return found({ years: register, lists: [listOf(chosen, page)], part });
  });
}

/** For the sitemap. */
export function pathsOfAllIssues(heads: readonly IssueHead[]): string[] {
  const parts = yearsOf(heads).flatMap((year) =>
    Array.from({ length: pagesOf(year) }, (_, index) => partPath(year, index + 1)),
  );
  return [newsletter.all.path, ...parts];
}

function found(shown: Omit<Extract<AllIssues, { state: "found" }>, "state">): Loaded {
  return { all: { state: "found", ...shown }, status: 200 };
}

async function withArchive(
  access: ArchiveAccess,
  show: (heads: readonly IssueHead[]) => Loaded,
): Promise<Loaded> {
  try {
    return show(await access.archive.heads());
  } catch (error) {
    access.reportError(error);
    return { all: { state: "failed" }, status: 503 };
  }
}

function listOf(year: IssueYear, page: number) {
  const from = (page - 1) * listMaxIssues;
  const issues = year.issues.slice(from, from + listMaxIssues).map(listed);
  return { year: registerYear(year), issues };
}

function registerYear(year: IssueYear): RegisterYear {
  return {
    label: year.year ?? allIssues.undated,
    path: partPath(year, 1),
    count: year.issues.length,
  };
}

function pagesOf(year: IssueYear | undefined): number {
  return Math.ceil((year?.issues.length ?? 0) / listMaxIssues);
}

function partPath(year: IssueYear, page: number): string {
  return `${newsletter.all.path}/${nameOf(year)}${page === 1 ? "" : `-${page}`}`;
}

function nameOf({ year }: IssueYear): string {
  return year ?? "undated";
}

type IssueYear = {
  /** Four digits; null for issues without a date. */
  year: string | null;
  issues: IssueHead[];
};

/** Newest first, issues without a date last. */
function yearsOf(heads: readonly IssueHead[]): IssueYear[] {
  const years = Map.groupBy(
    heads,
    ({ publishDate }) => /^\d{4}(?=-)/.exec(publishDate ?? "")?.[0] ?? "",
  );
  return [...years]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([year, issues]) => ({ year: year || null, issues }));
}
