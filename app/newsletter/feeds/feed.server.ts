import { newsletter } from "#content/pages/newsletter.ts";
import { currentArchive, numberAt } from "../archive/archive-index.server.ts";
import { type BodiesAccess, readerOfIssues } from "../archive/issues-client.server.ts";
import { titleOf } from "../archive/load-archive.server.ts";
import { cutAtWord } from "../issue/cut-at-word.ts";
import { publishMoment } from "../issue/publish-moment.server.ts";

/** Most issues in a feed, newest first; older ones are in the archive. */
const feedMaxIssues = 30;

/**
 * So many of the newest are told in full: three weeks, for programs that look in several times a day. The others have
 * their titles and dates, so that what a feed costs doesn't grow with the archive.
 */
const feedFullIssues = 3;

/** A longer body is told by its first words, in UTF-16 code units of HTML. */
const fullTextMaxLength = 256_000;

const summaryMaxLength = 300;

export type FeedEntry = {
  /** Its address, which is also what names it in both feeds. */
  address: string;
  title: string;
  /** Null where the issue has no date. */
  publishedAt: Date | null;
  /** Null of an issue that is told by its title. */
  words: { summary: string; html: string | null } | null;
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
export async function readFeed(access: BodiesAccess, path: string): Promise<Feed | null> {
  const { url, name, email } = access.settings;
  const address = url + newsletter.head.path;
  try {
    return {
      title: newsletter.head.title,
      description: newsletter.head.description,
      address,
      self: url + path,
      author: { name, email },
      entries: await readEntries(access, address),
    };
  } catch (error) {
    access.reportError(error);
    return null;
  }
}

async function readEntries(access: BodiesAccess, archiveAddress: string): Promise<FeedEntry[]> {
  const archive = await currentArchive(access);
  const reader = readerOfIssues(access);
  const entries: FeedEntry[] = [];
  for (const [position, { id, title, publish_date }] of archive.heads
    .slice(0, feedMaxIssues)
    .entries()) {
    const address = `${archiveAddress}/${id}`;
    // One body after the other, so that there is never more than one in memory that isn't in the feed.
    const row = position < feedFullIssues ? await reader.issue(id) : null;
    entries.push({
      address,
      title: titleOf(title, numberAt(archive, position)),
      publishedAt: publishMoment(publish_date),
      words: row && wordsOf(await access.preparedBodyOf(row), address),
    });
  }
  return entries;
}

function wordsOf({ html, plainText }: { html: string; plainText: string }, address: string) {
  const firstWords = plainText
    .slice(0, 10 * summaryMaxLength)
    .replace(/\s+/g, " ")
    .trim();
  return {
    summary: cutAtWord(firstWords, summaryMaxLength),
    html: html.length <= fullTextMaxLength ? withAbsoluteLinks(html, address) : null,
  };
}

/**
 * A prepared body's addresses are absolute but for the anchors inside it, and for pictures and issues of this site, which a
 * reader would look for elsewhere. Prepared markup has every quotation mark of its text and attributes escaped, so that
 * they can be told by their form.
 */
function withAbsoluteLinks(html: string, address: string): string {
  return html.replace(/<(?:a|img)(?: [a-z-]+="[^"]*")+ ?\/?>/g, (tag) =>
    tag.replace(
      / (href|src)="([#/][^"]*)/,
      (_, name: string, path: string) => ` ${name}="${new URL(path, address).href}`,
    ),
  );
}
