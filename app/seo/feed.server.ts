import { newsletter } from "#content/pages/newsletter.ts";
import type { IssueRow } from "#contracts/issue.ts";
import {
  elementsBelow,
  getAttribute,
  parseBody,
  setAttribute,
  writeBody,
} from "../issue-body/body-tree.server.ts";
import { cutAtWord } from "../newsletter/cut-at-word.ts";
import { type IssuesAccess, readIssues } from "../newsletter/issues-client.server.ts";
import { titleOf } from "../newsletter/load-archive.server.ts";
import { preparedBodyOf } from "../newsletter/prepared-bodies.server.ts";
import { publishMoment } from "../newsletter/publish-moment.ts";

/** Most issues in a feed, newest first; older ones are in the archive. */
export const feedMaxIssues = 30;

const summaryMaxLength = 300;

export type FeedEntry = {
  /** Its address, which is also what names it in both feeds. */
  address: string;
  title: string;
  /** Null where the issue has no date. */
  publishedAt: Date | null;
  summary: string;
  /** Safe HTML whose links are all absolute. */
  html: string;
};

export type Feed = {
  title: string;
  description: string;
  /** The archive's address. */
  address: string;
  /** The feed's own. */
  self: string;
  author: { name: string; email: string };
  entries: FeedEntry[];
};

/** The newsletter as both feeds tell it; null when it can't be read. */
export async function readFeed(access: IssuesAccess, path: string): Promise<Feed | null> {
  const read = await readIssues(access);
  if (!read.ok) return null;
  const { url, name, email } = access.settings;
  const address = url + newsletter.head.path;
  const { issues } = read;
  return {
    title: newsletter.head.title,
    description: newsletter.head.description,
    address,
    self: url + path,
    author: { name, email },
    entries: issues
      .slice(0, feedMaxIssues)
      .map((issue, index) => entryOf(issue, issues.length - index, `${address}/${issue.id}`)),
  };
}

function entryOf(issue: IssueRow, number: number, address: string): FeedEntry {
  const { html, plainText } = preparedBodyOf(issue);
  return {
    address,
    title: titleOf(issue.title, number),
    publishedAt: publishMoment(issue.publish_date),
    summary: cutAtWord(plainText.replace(/\s+/g, " ").trim(), summaryMaxLength),
    html: withAbsoluteLinks(html, address),
  };
}

/** A prepared body's addresses are absolute but for the anchors inside it, which a reader would look for elsewhere. */
function withAbsoluteLinks(html: string, address: string): string {
  const body = parseBody(html);
  for (const element of elementsBelow(body)) {
    const href = getAttribute(element, "href");
    if (href?.startsWith("#")) setAttribute(element, "href", address + href);
  }
  return writeBody(body);
}
