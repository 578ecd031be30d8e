import { colord } from "colord";
import { raw } from "hono/html";
import { convert } from "html-to-text";
import { type Element, getAttribute } from "#issue-body/body-tree.ts";
import { backgroundOf, readStyle } from "#issue-body/inline-style.ts";
import { type Html, html, mailHead, mailSheet } from "../mail-document.ts";

/** Plain text but for the body, which is safe markup. */
export type MailParts = {
  title: string;
  preheader: string;
  newsletter: string;
  accent: string;
  /** `Issue #3 · November 9, 2026`. */
  label: string;
  body: string;
  foot: {
    senderName: string;
    address: string;
    reach: string;
    why: string;
    unsubscribe: string;
    page: string;
  };
};

export const letterheadSheet = "#fafcf6";

const letterheadStyles = (accent: string) => `
body { width: 100%; -webkit-text-size-adjust: 100%; }
table { border-collapse: collapse; }
.head, .issue, .foot { overflow-wrap: break-word; }
.head { padding: 28px 32px 0; }
.head p { margin: 0; }
.firm { color: #46526a; font: bold 13px/20px Archivo, Arial, Helvetica, sans-serif; }
.name { color: #101a2b; font: bold 40px/46px "Courier New", Courier, monospace; letter-spacing: -1px; padding: 2px 0 10px; }
.chalk { background-color: ${accent}; height: 3px; font-size: 1px; line-height: 3px; }
.label { color: #46526a; font: 13px/20px "Courier New", Courier, monospace; padding-top: 10px; }
.issue { padding: 14px 32px 28px; color: #101a2b; font: 16px/1.56 Archivo, Arial, Helvetica, sans-serif; }
.issue h1 { margin: 10px 0 14px; color: #101a2b; font: bold 28px/34px Archivo, Arial, Helvetica, sans-serif; }
.issue h2 { margin: 30px 0 10px; color: #101a2b; font: bold 21px/27px Archivo, Arial, Helvetica, sans-serif; }
.issue h3 { margin: 24px 0 8px; color: #101a2b; font: bold 17px/24px Archivo, Arial, Helvetica, sans-serif; }
.issue h4, .issue h5, .issue h6 { margin: 20px 0 8px; font: bold 16px/24px Archivo, Arial, Helvetica, sans-serif; }
.issue p { margin: 0 0 14px; }
.issue ul, .issue ol { margin: 0 0 14px; padding: 0 0 0 24px; }
.issue li { margin: 0 0 6px; }
.issue a { color: ${accent}; text-decoration: underline; }
.issue img { max-width: 100%; height: auto; border: 0; color: #46526a; font-size: 14px; }
.issue figure { margin: 0 0 14px; }
.issue figcaption { color: #46526a; font-size: 14px; line-height: 20px; }
.issue blockquote { margin: 0 0 14px; padding: 2px 0 2px 16px; border-left: 3px solid ${accent}; }
.issue pre { margin: 0 0 14px; padding: 12px; background-color: #eef2e9; white-space: pre-wrap; font: 14px/20px "Courier New", Courier, monospace; }
.issue code, .issue kbd, .issue samp { font-family: "Courier New", Courier, monospace; }
.issue hr { margin: 24px 0; border: 0; border-top: 1px solid #c9d3c2; }
.issue table { margin: 0 0 16px; width: 100%; }
.issue caption { padding: 0 0 8px; color: #46526a; font-size: 14px; line-height: 20px; text-align: left; }
.issue th { padding: 7px 10px 7px 0; border-bottom: 2px solid #101a2b; font-size: 14px; line-height: 20px; text-align: left; vertical-align: bottom; }
.issue td { padding: 7px 10px 7px 0; border-bottom: 1px solid #c9d3c2; font-size: 15px; line-height: 21px; text-align: left; vertical-align: top; }
.issue .issue-address { overflow-wrap: anywhere; word-break: break-word; }
.foot { padding: 20px 32px 28px; border-top: 1px solid #c9d3c2; color: #46526a; font: 13px/20px Archivo, Arial, Helvetica, sans-serif; }
.foot p { margin: 0 0 10px; }
.foot a { color: ${accent}; text-decoration: underline; }
@media (max-width: 480px) {
  .around { padding: 0 !important; }
  .sheet { border-width: 0 !important; }
  .head { padding: 22px 20px 0 !important; }
  .issue { padding: 12px 20px 24px !important; font-size: 17px !important; }
  .issue .wide { width: 100% !important; }
  .issue-words { overflow-x: auto !important; }
  .issue div, .issue p, .issue table { max-width: 100% !important; }
  .issue .issue-data { display: block !important; overflow-x: auto !important; }
  .issue .issue-stacks { display: block !important; width: auto !important; }
  .foot { padding: 18px 20px 32px !important; }
  .name { font-size: 34px !important; line-height: 40px !important; }
  .issue h1 { font-size: 25px !important; line-height: 31px !important; }
}
`;

const darkStyles = `@media (prefers-color-scheme: dark) {
  .paper { background-color: #0a1a33 !important; }
  .sheet { background-color: #0d2140 !important; border-color: #2c4a7c !important; }
  .name, .issue, .issue h1, .issue h2, .issue h3, .issue h4, .issue th { color: #e9f0ff !important; }
  .firm, .label, .foot, .issue caption, .issue figcaption { color: #a9bde0 !important; }
  .issue a, .foot a { color: #9ec0ff !important; }
  .issue img { color: inherit !important; }
  .chalk { background-color: #6c9bff !important; }
  .issue pre { background-color: #14305b !important; }
  .issue th { border-bottom-color: #a9bde0 !important; }
  .issue td, .issue hr, .foot { border-color: #2c4a7c !important; }
  .issue blockquote { border-left-color: #6c9bff !important; }
}
`;

/**
 * An issue on our letterhead, without pictures. One with colours of its own stays light in dark
 * mode.
 */
export function letterhead(
  { title, preheader, newsletter, accent, label, body, foot }: MailParts,
  { staysLight }: { staysLight: boolean },
): Html {
  const schemes = staysLight ? "light" : "light dark";
  const styles = letterheadStyles(accent) + (staysLight ? "" : darkStyles);
  return mailSheet(mailHead(title, schemes, styles), {
    before: preheaderLine(preheader),
    rows: html`<tr><td class="head">
<p class="firm">${foot.senderName}</p>
<p class="name">${newsletter}</p>
<table role="presentation" class="line" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="chalk" bgcolor="${accent}">&nbsp;</td></tr></table>
<p class="label">${label}</p>
</td></tr>
<tr><td class="issue">
<h1>${title}</h1>
<div class="issue-words">${raw(body) as Html}</div>
</td></tr>
<tr><td class="foot">${footWords(foot)}</td></tr>`,
  });
}

/** The filler keeps the mail's first words out of the preview. */
function preheaderLine(preheader: string): Html {
  const filler = raw("&#847;&zwnj;&nbsp;".repeat(60)) as Html;
  return html`<div class="preheader" style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all">${preheader}${filler}</div>
`;
}

function whole(address: string, words: string): Html {
  return html`<a href="${address}" style="white-space:nowrap">${words}</a>`;
}

/** CASL, s. 6(2); Electronic Commerce Protection Regulations. */
function footWords(foot: MailParts["foot"]) {
  return html`<p>${foot.why}</p>
<p>${whole(foot.unsubscribe, "Unsubscribe")}&nbsp;&nbsp; ${whole(foot.page, "View in browser")}</p>
<p>${foot.senderName}<br>${foot.address}<br>${foot.reach}</p>`;
}

/** In hexadecimal. */
export function canvasOf(body: Element | undefined): string | null {
  if (!body) return null;
  const style = readStyle(getAttribute(body, "style") ?? "").kept;
  const colour = colord(style.get("background-color") ?? backgroundOf(body) ?? "");
  return colour.isValid() ? colour.alpha(1).toHex() : null;
}

const stylesIn = (accent: string) => `
.own, .own table, .own td, .own th, .own p, .own li, .own h1, .own h2, .own h3, .own h4 { font-family: Arial, Helvetica, sans-serif; }
.own { overflow-wrap: break-word; }
.own .issue-address { overflow-wrap: anywhere; word-break: break-word; }
.own div { box-sizing: border-box; }
.own img { max-width: 100%; height: auto; }
.own pre { white-space: pre-wrap; }
.own-foot { padding: 20px 24px 32px; background-color: #ffffff; color: #46526a; font: 13px/20px Arial, Helvetica, sans-serif; text-align: center; }
.own-foot p { margin: 0 0 8px; }
.own-foot a { color: ${accent}; text-decoration: underline; }
@media (max-width: 620px) {
  .own table, .own td, .own th, .own div { max-width: 100% !important; min-width: 0 !important; }
  .own table { width: 100% !important; }
  .own td, .own th { width: auto !important; }
  .own img { max-width: 100% !important; height: auto !important; }
  .own .wide { width: 100% !important; }
  .own .issue-stacks { display: block !important; width: auto !important; }
  .own .issue-data { display: block !important; overflow-x: auto !important; }
  .own .issue-data td, .own .issue-data th { padding-left: 4px !important; padding-right: 4px !important; font-size: 14px !important; }
  .own { padding: 0 8px !important; overflow-x: auto !important; }
}
`;

/**
 * A document in its own design above our footer. It stays light, since its colours can't be
 * inverted.
 */
export function ownLetter(
  { title, preheader, accent, body, foot }: MailParts,
  { canvas }: { canvas: string },
): Html {
  return html`${mailHead(title, "light", stylesIn(accent))}
<body style="margin:0;padding:0;background-color:${canvas}" bgcolor="${canvas}">
${preheaderLine(preheader)}<div class="own">
${raw(body) as Html}
</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff"><tr><td class="own-foot" align="center">${footWords(foot)}</td></tr></table>
</body>
</html>
`;
}

/** Short enough to survive quoting (RFC 3676, section 4.2). */
const lineColumns = 72;

export function plainText({ title, newsletter, label, body, foot }: MailParts): string {
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
