import juice from "juice";
import { parse, serialize } from "parse5";
import type { IssueHead } from "#app/ports.ts";
import { nameOfNewsletter } from "#content/own-words.ts";
import { postalAddressAbroad } from "#content/site.ts";
import type { SiteIdentity } from "#content/site-settings.ts";
import { cutAtWord } from "#content/text.ts";
import { formatLongDate } from "#content/toronto-time.ts";
import {
  type Element,
  elementsBelow,
  type Fragment,
  getAttribute,
  isElement,
  isNestedTooDeep,
  isText,
  maxNesting,
  type Node,
  setAttribute,
  writeBody,
} from "#issue-body/body-tree.ts";
import { hasOwnColours } from "#issue-body/inline-style.ts";
import { fallbackOf, hasMergeTag, replaceMergeTags } from "#issue-body/merge-tags.ts";
import { prepareMailBody } from "#issue-body/prepare-issue-body.ts";
import type { RemovedItem } from "#issue-body/sanitise-body.ts";
import { unsubscribeLink } from "../subscriber-letters.ts";
import {
  canvasOf,
  letterhead,
  letterheadSheet,
  type MailParts,
  ownLetter,
  plainText,
} from "./papers.ts";

/** Gmail cuts a mail's HTML off here, in bytes. */
const gmailClipBytes = 102 * 1024;

const linkSlackBytes = 200;

const pictureMaxPx = 534;

/** A phone's width. */
const widePicturePx = 320;

const preheaderMaxLength = 140;

export type ComposedMail = {
  subject: string;
  html: string;
  text: string;
  preheader: string;
  bytes: number;
  removed: RemovedItem[];
  notes: string[];
};

/** A whole document keeps its own design. */
const ownDocument = /<(?:!doctype\s+html|html|body)\b/i;

type IssueForMail = IssueHead & {
  html: string;
  publishDate: string;
};

/**
 * Composes an issue's mail with `tokenPlaceholder` for each token. Throws where the body is nested
 * too deep.
 */
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
  if (isNestedTooDeep(issue.html)) {
    throw new Error(`The issue's HTML is nested deeper than ${maxNesting} elements.`);
  }
  const newsletter = nameOfNewsletter(site);
  const { accent } = site;
  const page = `${site.url}/newsletter/${issue.id}`;
  const unsubscribe = unsubscribeLink(site, tokenPlaceholder);
  const date = formatLongDate(new Date(`${issue.publishDate}T12:00:00Z`));
  const document = parse(issue.html);
  const tags = fillMergeTags(document, {
    unsubscribe,
    page,
    title: issue.title,
    year: String(now.getUTCFullYear()),
    date,
    sender: site.name,
    senderAddress: postalAddressAbroad(site),
    senderEmail: site.email,
    accent,
  });
  const isOwn = ownDocument.test(issue.html);
  const filled = serialize(document);
  // The sanitiser drops style sheets.
  const styled = isOwn
    ? juice(filled, { preserveMediaQueries: false, preserveFontFaces: false })
    : filled;
  const isBody = ({ tagName }: Element) => tagName === "body";
  const canvas = isOwn
    ? (canvasOf(elementsBelow(parse(styled)).find(isBody)) ?? "#ffffff")
    : letterheadSheet;
  const {
    body,
    recoloured,
    removed,
    plainText: words,
  } = prepareMailBody(styled, { canvas, accent });
  const found = finishBody(body, site.url);
  const beside = given?.trim() || firstWords(words);
  const preheader = cutAtWord(beside.replace(/\s+/g, " "), preheaderMaxLength);
  const parts: MailParts = {
    title: issue.title,
    preheader,
    newsletter,
    accent,
    label: `Issue #${issue.number} · ${date}`,
    body: writeBody(body),
    foot: {
      senderName: site.name,
      address: postalAddressAbroad(site),
      reach: site.phone ? `${site.email} · ${site.phone}` : site.email,
      why: `You get ${newsletter} because you signed up at ${new URL(site.url).host} or agreed to it elsewhere, or because of your business with us or a question you asked us.`,
      unsubscribe,
      page,
    },
  };
  const dressed = isOwn
    ? ownLetter(parts, { canvas })
    : letterhead(parts, { staysLight: hasOwnColours(body) });
  const html = juice(dressed.toString(), { preserveImportant: true, applyHeightAttributes: false })
    // Mail programs know only names and hexadecimal colours.
    .replaceAll(/ bgcolor="[^"(]*\([^"]*"/g, "");
  const bytes = Buffer.byteLength(html) + linkSlackBytes;
  return {
    subject: issue.title,
    html,
    text: plainText(parts),
    preheader,
    bytes,
    removed,
    notes: [
      bytes > gmailClipBytes &&
        `Gmail shows ${gmailClipBytes / 1024} KB of a mail and cuts this one off; its header still lets readers leave.`,
      ...tagNotes(tags, parts.body),
      note(
        recoloured,
        "passage",
        "in a colour that can't be read on its background: the mail changes it.",
      ),
      ...found,
    ].filter((words) => words !== false),
  };
}

type MergeValues = {
  unsubscribe: string;
  page: string;
  title: string;
  year: string;
  date: string;
  sender: string;
  senderAddress: string;
  senderEmail: string;
  /** White text is readable on it. */
  accent: string;
};

const leavesList = /unsub|opt_?-?out|preferences|update_?(?:profile|link)/i;

/** Another program's address: `##unsubscribe##`, `$[leave]`, `%7Boptout%7D`. */
const isPlaceholder = /^\s*(?:[[{$%*<@~|!]|##|%[57]B)/i;

/**
 * Fills known merge tags and removes others, outside code. Returns how many were filled, and the
 * removed ones.
 */
function fillMergeTags(parent: { childNodes: Node[] }, values: MergeValues) {
  const result = { filled: 0, removed: [] as string[] };
  function fill(text: string): string {
    return replaceMergeTags(text, (name, tag) => {
      const value = meaningOf(name, values);
      if (value === "") result.removed.push(tag);
      else result.filled += 1;
      return value;
    });
  }
  function fillAttributes({ attrs }: Element): void {
    for (const attribute of attrs) {
      const { name, value } = attribute;
      const hasTag = hasMergeTag(value);
      if (name === "href" && leavesList.test(value) && (hasTag || isPlaceholder.test(value))) {
        attribute.value = values.unsubscribe;
        result.filled += 1;
      } else if (hasTag) attribute.value = fill(value);
    }
  }
  function visit(node: Node): void {
    if (isText(node)) node.value = fill(node.value);
    if (!isElement(node)) return;
    fillAttributes(node);
    if (!/^(?:pre|code)$/.test(node.tagName)) node.childNodes.forEach(visit);
  }
  parent.childNodes.forEach(visit);
  return result;
}

function meaningOf(tag: string, values: MergeValues): string {
  const name = tag.toLowerCase();
  if (/^(?:if|else|end|for|unless|case|when|assign|interest|#|\/)/.test(name)) return "";
  const meanings: [RegExp, string][] = [
    [
      /unsub|opt_?out|manage|preferences|update_?(?:profile|link)|subscription_?url/,
      values.unsubscribe,
    ],
    // A button without a colour would hide its white text.
    [/(?:accent|brand|button|primary).*colou?r/, values.accent],
    [
      /archive|browser|web_?(?:version|copy)|online|post_?url|permalink|forward|message_?url|^url$/,
      values.page,
    ],
    [/(?:list|company|sender|mailing|physical|contact).*address/, values.senderAddress],
    [/year/, values.year],
    [/date/, values.date],
    [/subject|title/, values.title],
    [/(?:list|from|reply|sender).*e?mail/, values.senderEmail],
    [/company|sender|publication|list.*name|site.*(?:name|title)/, values.sender],
  ];
  const known = meanings.find(([pattern]) => pattern.test(name))?.[1];
  return known ?? fallbackOf(tag);
}

/** Unknown tags; the sanitiser has removed the known ones. */
const likeTags =
  /\{\{[^{}<>]{0,60}\}\}|\*\|[^|<>]{1,60}\|\*|%%?[A-Z][A-Z_]{3,40}%%?|\$?\[\[?[A-Z][A-Z_ ]{3,40}\]\]?\$?|[#$]?\{[!$]?[A-Za-z]\w{2,40}(?:[.:=|][\w.:=| ]{1,40})?\}|\[(?:[Ff]irst|[Ll]ast|[Ff]ull)?[ _-]?[Nn]ame\]|&lt;&lt;[\w ]{3,40}&gt;&gt;/g;

function tagNotes({ filled, removed }: { filled: number; removed: string[] }, body: string) {
  const found = body.replaceAll(/<(pre|code)\b[\s\S]*?<\/\1>/g, "").match(likeTags) ?? [];
  const left = found.map((tag) => tag.replaceAll("&lt;", "<").replaceAll("&gt;", ">"));
  const named = removed.length > 0 ? `: ${shortList(removed)}` : "";
  return [
    filled + removed.length > 0 &&
      `Merge tags: ${filled} filled in, ${removed.length} taken out${named}.`,
    left.length > 0 &&
      `Goes out as it stands, though it looks like a merge tag: ${shortList(left)}.`,
  ];
}

function shortList(items: string[]): string {
  const some = [...new Set(items)];
  return some.slice(0, 5).join(", ") + (some.length > 5 ? " and others" : "");
}

function note(count: number, thing: string, words: string): string | false {
  return count > 0 && `${count} ${thing}${count === 1 ? "" : "s"} ${words}`;
}

const noHost =
  /^https?:\/\/(?:[^./:]+|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|[^/:]+\.(?:local|localhost|test|internal))(?:[:/?#]|$)/i;

/** Makes addresses absolute and fits pictures. Returns, in sentences, what won't work in a mailbox. */
function finishBody(body: Fragment, siteUrl: string) {
  const elements = elementsBelow(body);
  const ids = new Set(elements.map((element) => `#${getAttribute(element, "id")}`));
  const dead: string[] = [];
  let [inline, unsafe, wordless, sizeless] = [0, 0, 0, 0];
  for (const element of elements) {
    const name = element.tagName === "img" ? "src" : "href";
    const address = getAttribute(element, name) ?? "";
    if (address.startsWith("/")) setAttribute(element, name, siteUrl + address);
    if (element.tagName === "a") {
      const isAnchor = address.startsWith("#") && !ids.has(address);
      const isBare = address === "" && getAttribute(element, "id") === undefined;
      if (isAnchor || isBare || noHost.test(address)) dead.push(address || "no address");
    }
    if (element.tagName !== "img") continue;
    if (address.startsWith("data:")) inline += 1;
    else if (address.startsWith("http:")) unsafe += 1;
    if (!getAttribute(element, "alt")) wordless += 1;
    const width = Number(getAttribute(element, "width"));
    if (width > pictureMaxPx) {
      setAttribute(element, "width", String(pictureMaxPx));
      setAttribute(element, "height", null);
    } else if (!(width > 0)) sizeless += 1;
    if (width >= widePicturePx) setAttribute(element, "class", "wide");
  }
  return [
    note(
      dead.length,
      "link",
      `that lead${dead.length === 1 ? "s" : ""} nowhere: ${shortList(dead)}.`,
    ),
    note(inline, "picture", "inside the file itself: Gmail and Outlook don't show such."),
    note(unsafe, "picture", "by http: many mail programs show https alone."),
    note(
      wordless,
      "picture",
      "without words in its place (alt), for readers who have pictures off.",
    ),
    note(sizeless, "picture", "without a width, which Outlook shows as large as the file is."),
  ];
}

function firstWords(words: string): string {
  const lines = words.split("\n");
  return lines.find((line) => line.length >= 40) ?? lines[0] ?? "";
}
