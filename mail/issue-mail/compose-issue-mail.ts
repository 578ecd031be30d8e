import { convert } from "html-to-text";
import juice from "juice";
import type { IssueHead } from "#app/ports.ts";
import { linkFromIssue } from "#content/issue-links.ts";
import { nameOfNewsletter } from "#content/own-words.ts";
import { postalAddressAbroad } from "#content/site.ts";
import type { SiteIdentity } from "#content/site-settings.ts";
import { cutAtWord } from "#content/text.ts";
import { formatLongDate } from "#content/toronto-time.ts";
import {
  elementsBelow,
  type Fragment,
  getAttribute,
  isNestedTooDeep,
  maxNesting,
  setAttribute,
  writeBody,
} from "#issue-body/body-tree.ts";
import { hasOwnColours } from "#issue-body/inline-style.ts";
import { prepareMailBody } from "#issue-body/prepare-issue-body.ts";
import type { RemovedItem } from "#issue-body/sanitise-body.ts";
import { unsubscribeLink } from "../subscriber-letters.ts";
import { letterhead, type MailParts } from "./papers.ts";

/** Gmail cuts a mail's HTML off here, in bytes. */
const gmailClipBytes = 102 * 1024;

const linkSlackBytes = 200;

/** Between the margins of the sheet, and of most layouts in it. */
const maxWidthPx = { sheet: 534, cell: 478 };

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

type IssueForMail = IssueHead & {
  html: string;
  publishDate: string;
  preheader?: string | null;
};

type Composing = { issue: IssueForMail; site: SiteIdentity; tokenPlaceholder: string };

/** `tokenPlaceholder` stands for each token. Throws where the body is nested too deep. */
export function composeIssueMail({ issue, site, tokenPlaceholder }: Composing): ComposedMail {
  if (isNestedTooDeep(issue.html)) {
    throw new Error(`the issue is nested deeper than ${maxNesting} elements`);
  }
  const newsletter = nameOfNewsletter(site);
  const { accent } = site;
  const page = `${site.url}/newsletter/${issue.id}`;
  const unsubscribe = unsubscribeLink(site, tokenPlaceholder);
  // A table that another program made may hold times.
  const date = formatLongDate(new Date(`${issue.publishDate.slice(0, 10)}T12:00:00Z`));
  // The sanitiser drops style sheets.
  const styled = /<style\b/i.test(issue.html)
    ? juice(issue.html, { preserveMediaQueries: false, preserveFontFaces: false })
    : issue.html;
  const { body, removed, plainText: words } = prepareMailBody(styled, accent);
  const found = finishBody(body, { id: issue.id, siteUrl: site.url });
  const beside = issue.preheader?.trim() || firstWords(words);
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
  const dressed = letterhead(parts, { isColoured: hasOwnColours(body) }).toString();
  const html = juice(dressed, { preserveImportant: true, applyHeightAttributes: false })
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
      tagNote(parts.body),
      ...found,
    ].filter((words) => words !== false),
  };
}

/** A name that another program would fill in. */
const likeTags =
  /\{\{[^{}<>]{0,60}\}\}|\*\|[^|<>]{1,60}\|\*|%%?[A-Z][A-Z_]{3,40}%%?|\$?\[\[?[A-Z][A-Z_ ]{3,40}\]\]?\$?|[#$]?\{[!$]?[A-Za-z]\w{2,40}(?:[.:=|][\w.:=| ]{1,40})?\}|\[(?:[Ff]irst|[Ll]ast|[Ff]ull)?[ _-]?[Nn]ame\]|&lt;&lt;[\w ]{3,40}&gt;&gt;/g;

function tagNote(body: string): string | false {
  const found = body.replaceAll(/<(pre|code)\b[\s\S]*?<\/\1>/g, "").match(likeTags) ?? [];
  const left = found.map((tag) => tag.replaceAll("&lt;", "<").replaceAll("&gt;", ">"));
  return (
    left.length > 0 &&
    `Goes out as it stands, though it looks like a merge tag: ${shortList(left)}.`
  );
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
function finishBody(body: Fragment, place: { id: number; siteUrl: string }) {
  const elements = elementsBelow(body);
  const ids = new Set(elements.map((element) => `#${getAttribute(element, "id")}`));
  const tables = elements.filter(({ tagName }) => tagName === "table");
  const inTables = new Set(tables.flatMap((table) => elementsBelow(table)));
  const dead: string[] = [];
  let [inline, wordless] = [0, 0];
  for (const element of elements) {
    const name = element.tagName === "img" ? "src" : "href";
    const address = getAttribute(element, name) ?? "";
    const whole = address.startsWith("/") ? place.siteUrl + address : address;
    if (whole) setAttribute(element, name, name === "href" ? linkFromIssue(whole, place) : whole);
    if (element.tagName === "a") {
      const isAnchor = address.startsWith("#") && !ids.has(address);
      const isBare = address === "" && getAttribute(element, "id") === undefined;
      if (isAnchor || isBare || noHost.test(address)) dead.push(address || "no address");
    }
    const style = getAttribute(element, "style");
    if (style) setAttribute(element, "style", style.replace(fixedWidth, fitted));
    const width = Number(getAttribute(element, "width"));
    if (element.tagName !== "img") {
      if (width > maxWidthPx.sheet) setAttribute(element, "width", "100%");
      continue;
    }
    if (address.startsWith("data:")) inline += 1;
    if (!getAttribute(element, "alt")) wordless += 1;
    const maxPx = inTables.has(element) ? maxWidthPx.cell : maxWidthPx.sheet;
    if (width > maxPx) {
      setAttribute(element, "width", String(maxPx));
      setAttribute(element, "height", null);
    }
    if (width >= widePicturePx) setAttribute(element, "class", "wide");
  }
  return [
    note(
      dead.length,
      "link",
      `that lead${dead.length === 1 ? "s" : ""} nowhere: ${shortList(dead)}.`,
    ),
    note(inline, "picture", "inside the file itself: Gmail and Outlook don't show such."),
    note(
      wordless,
      "picture",
      "without words in its place (alt), for readers who have pictures off.",
    ),
  ];
}

const fixedWidth = /(?<![\w-])width:(\d+)(?:\.\d+)?px/g;

function fitted(width: string, px: string): string {
  return Number(px) > maxWidthPx.sheet ? "width:100%" : width;
}

function firstWords(words: string): string {
  const lines = words.split("\n");
  return lines.find((line) => line.length >= 40) ?? lines[0] ?? "";
}

/** Short enough to survive quoting (RFC 3676, section 4.2). */
const lineColumns = 72;

function plainText({ title, newsletter, label, body, foot }: MailParts): string {
  const words = convert(body, {
    wordwrap: lineColumns,
    selectors: [
      { selector: "h1", options: { uppercase: false } },
      { selector: "h2", options: { uppercase: false, leadingLineBreaks: 3 } },
      { selector: "h3", options: { uppercase: false } },
      { selector: "h4", options: { uppercase: false } },
      { selector: "a", options: { hideLinkHrefIfSameAsText: true, linkBrackets: ["<", ">"] } },
      { selector: "img", options: { linkBrackets: false, baseUrl: "" }, format: "alternative" },
      { selector: "table", format: "block" },
      { selector: "table.issue-data", format: "dataTable", options: { maxColumnWidth: 32 } },
      { selector: "td", format: "block" },
      { selector: "th", format: "block" },
      { selector: "hr", options: { length: lineColumns } },
    ],
    formatters: {
      alternative(element, _walk, builder) {
        const words = String(element.attribs.alt ?? "").trim();
        if (words !== "") builder.addInline(`[${words}]`);
      },
    },
  });
  const heading = wrapped(title.trim());
  const longest = Math.max(...heading.split("\n").map((line) => line.length));
  return `${newsletter}, from ${foot.senderName}
${label}

${heading}
${"=".repeat(Math.min(lineColumns, longest))}

${words
  .replace(/[ \u00a0]+$/gm, "")
  .replace(/\n{4,}/g, "\n\n\n")
  .trim()}

--${" "}
${wrapped(foot.why)}

Unsubscribe: ${foot.unsubscribe}
View in browser: ${foot.page}

${foot.senderName}
${foot.address}
${foot.reach}
`;
}

function wrapped(words: string): string {
  return words.replace(new RegExp(`(?=.{${lineColumns + 1}})(.{1,${lineColumns}}) `, "g"), "$1\n");
}
