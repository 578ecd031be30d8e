import juice from "juice";
import { newsletterName, postalAddressAbroad } from "#content/site.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import {
  elementsBelow,
  getAttribute,
  parseBody,
  setAttribute,
  writeBody,
} from "#issue-body/body-tree.ts";
import { prepareMailBody } from "#issue-body/prepare-issue-body.ts";
import type { RemovedItem } from "#issue-body/sanitise-body.ts";
import { unsubscribeLink } from "../subscriber-letters.ts";
import { letterhead, type MailParts } from "./letterhead.ts";
import { fillMergeTags } from "./merge-tags.ts";
import {
  canvasOf,
  inlineOwnStyles,
  isOwnDocument,
  ownLetter,
  touchesEdges,
  withAbsoluteAddresses,
} from "./own-letter.ts";
import { plainText } from "./plain-text.ts";

/** Gmail cuts a mail's HTML off here, in bytes. */
export const gmailClipBytes = 102 * 1024;

/** A subscriber's link is a little longer than its placeholder. */
const linkSlackBytes = 200;

/** Outlook shows a picture at its declared width. */
const pictureMaxPx = 534;

/** A phone's width: such a picture fills the screen, and its alternative text stays inside it. */
const widePicturePx = 320;

const preheaderMaxLength = 140;

export type ComposedMail = {
  subject: string;
  html: string;
  text: string;
  preheader: string;
  bytes: number;
  /** What was removed from the issue, as on the page. */
  removed: RemovedItem[];
  /** Warnings about mail programs, for the operator. */
  notes: string[];
};

type IssueForMail = {
  id: number;
  number: number;
  title: string;
  html: string;
  /** `YYYY-MM-DD`. */
  publishDate: string;
};

/** Composes an issue's mail, with `tokenPlaceholder` in place of each subscriber's token. */
export function composeIssueMail({
  issue,
  site,
  tokenPlaceholder,
  preheader: given = null,
  now,
}: {
  issue: IssueForMail;
  site: SiteIdentity;
  tokenPlaceholder: string;
  preheader?: string | null;
  now: Date;
}): ComposedMail {
  const page = `${site.url}/newsletter/${issue.id}`;
  const unsubscribe = unsubscribeLink(site, tokenPlaceholder);
  const date = longDate(issue.publishDate);
  const tags = fillMergeTags(issue.html, {
    unsubscribe,
    page,
    title: issue.title,
    year: String(now.getUTCFullYear()),
    date,
    sender: site.name,
    senderAddress: postalAddressAbroad(site),
    senderEmail: site.email,
  });
  const isOwn = isOwnDocument(tags.markup);
  const styled = isOwn ? inlineOwnStyles(tags.markup) : tags.markup;
  const prepared = prepareMailBody(withAbsoluteAddresses(styled, page));
  const pictures = fitPictures(prepared.html);
  const preheader = cutAtWord(given?.trim() || firstWords(prepared.plainText));
  const parts: MailParts = {
    title: issue.title,
    preheader,
    label: `Issue #${issue.number} · ${date}`,
    body: pictures.html,
    foot: {
      senderName: site.name,
      address: postalAddressAbroad(site),
      reach: `${site.email} · ${site.phone}`,
      why: `You get ${newsletterName} because you signed up at ${new URL(site.url).host} and confirmed this address.`,
      unsubscribe,
      page,
    },
  };
  const document = isOwn
    ? ownLetter(parts, { canvas: canvasOf(styled), isBare: touchesEdges(pictures.html) })
    : letterhead(parts);
  const html = juice(document.toString(), {
    preserveImportant: true,
    applyHeightAttributes: false,
  });
  const bytes = Buffer.byteLength(html) + linkSlackBytes;
  return {
    subject: issue.title,
    html,
    text: plainText(parts),
    preheader,
    bytes,
    removed: prepared.removed,
    notes: [
      ...(bytes > gmailClipBytes
        ? [
            `Gmail shows ${Math.round(gmailClipBytes / 1024)} KB of a mail and cuts this one off; its header still lets readers leave.`,
          ]
        : []),
      ...(tags.filled + tags.removed > 0
        ? [`Merge tags: ${tags.filled} filled in, ${tags.removed} taken out.`]
        : []),
      ...pictures.notes,
    ],
  };
}

/** Fits pictures to the sheet and collects warnings about them. */
function fitPictures(markup: string): { html: string; notes: string[] } {
  const body = parseBody(markup);
  let [inline, unsafe, wordless, sizeless] = [0, 0, 0, 0];
  for (const image of elementsBelow(body).filter(({ tagName }) => tagName === "img")) {
    const source = getAttribute(image, "src") ?? "";
    if (source.startsWith("data:")) inline += 1;
    else if (source.startsWith("http:")) unsafe += 1;
    if (!getAttribute(image, "alt")) wordless += 1;
    const width = Number(getAttribute(image, "width"));
    if (width > pictureMaxPx) {
      setAttribute(image, "width", String(pictureMaxPx));
      setAttribute(image, "height", null);
    } else if (!(width > 0)) sizeless += 1;
    if (width >= widePicturePx) setAttribute(image, "class", "wide");
  }
  const note = (count: number, words: string) =>
    count > 0 ? [`${count} ${count === 1 ? "picture" : "pictures"} ${words}`] : [];
  return {
    html: writeBody(body),
    notes: [
      ...note(inline, "inside the file itself: Gmail and Outlook don't show such."),
      ...note(unsafe, "by http: many mail programs show https alone."),
      ...note(wordless, "without words in its place (alt), for readers who have pictures off."),
      ...note(sizeless, "without a width, which Outlook shows as large as the file is."),
    ],
  };
}

function firstWords(words: string): string {
  const lines = words.split("\n");
  return lines.find((line) => line.length >= 40) ?? lines[0] ?? "";
}

function cutAtWord(words: string): string {
  const line = words.replace(/\s+/g, " ");
  if (line.length <= preheaderMaxLength) return line;
  return `${line.slice(0, preheaderMaxLength).replace(/\s+\S*$/, "")}…`;
}

function longDate(day: string): string {
  return new Date(`${day}T12:00:00Z`).toLocaleDateString("en-US", {
    dateStyle: "long",
    timeZone: "UTC",
  });
}
