import { data } from "react-router";
import { linkFromIssue } from "#content/issue-links.ts";
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
} from "./issues.ts";
import { formatPublishDate, isoPublishDate, lastModified } from "./publish-date.server.ts";

type ArchiveAccess = Pick<SiteServices, "archive" | "settings" | "reportError">;

/** Failures and fallbacks are never cached. */
async function answerFrom<Page>(
  { archive, reportError }: ArchiveAccess,
  load: (archive: Archive) => Promise<{ page: Page; status: 200 | 404 }>,
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
      shown: shownIssue(issue, access),
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
    const { title, plainText, publishDate, card } = issue;
    const edits = await archive.edits();
    const page = {
      state: "found" as const,
      issue: shownIssue(issue, access),
      description: descriptionOf(plainText),
      datePublished: isoPublishDate(publishDate),
      dateModified: lastModified(publishDate, edits.get(issue.id), new Date()),
      card,
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

function shownIssue(issue: ArchiveIssue, { settings }: ArchiveAccess): ShownIssue {
  const place = { id: issue.id, siteUrl: settings.url };
  const html = issue.html.replace(
    /(<a\b[^>]* href=")([^"]*)/g,
    (_, before, address) => before + linkFromIssue(address, place),
  );
  return { ...listed(issue), html };
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

/** 70 to 160 characters. */
function descriptionOf(plainText: string): string {
  const words = plainText.replace(/\s+/g, " ").trim();
  const enough =
    words.length >= 70
      ? words
      : `${words}${/[.!?…]$|^$/.test(words) ? "" : "."} ${newsletter.issue.description}`.trim();
  return cutAtWord(enough, 160);
}

/** Whole sentences, as far as they fit. */
function firstSentences(text = ""): string {
  const line =
    text
      .split("\n")
      .find((line) => /[.!?]$/.test(line.trim()))
      ?.trim() ?? "";
  return /^.{20,140}[.!?]["”]?(?=\s|$)/.exec(line)?.[0] ?? cutAtWord(line, 140);
}

/** So that a page's cost doesn't grow with the archive. */
const firstLinesMax = 12;

/** By year, the newest first and undated ones last. */
export function loadAllIssues(access: ArchiveAccess) {
  return answerFrom<AllIssues>(access, async (archive) => {
    const heads = await archive.heads();
    const texts = await archive.plainTexts(heads.slice(0, firstLinesMax).map(({ id }) => id));
    const years = Map.groupBy(heads, ({ publishDate }) => {
      return /^\d{4}(?=-)/.exec(publishDate ?? "")?.[0] ?? "";
    });
    const newestFirst = [...years].sort(([a], [b]) => (a < b ? 1 : -1));
    const page = {
      state: "found" as const,
      years: newestFirst.map(([year, issues]) => ({
        year: year || allIssues.undated,
        issues: issues.map((head) => ({
          ...listed(head),
          firstLine: firstSentences(texts.get(head.id)),
        })),
      })),
    };
    return { page, status: 200 };
  });
}
