import { raw } from "hono/html";
import { type Html, html, inTheDark, mailHead, mailSheet } from "../mail-document.ts";

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

const stylesIn = (accent: string) => `
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
.issue .issue-data { margin: 0 0 16px; width: 100%; }
.issue .issue-data caption { padding: 0 0 8px; color: #46526a; font-size: 14px; line-height: 20px; text-align: left; }
.issue .issue-data th { padding: 7px 10px 7px 0; border-bottom: 2px solid #101a2b; font-size: 14px; line-height: 20px; text-align: left; vertical-align: bottom; }
.issue .issue-data td { padding: 7px 10px 7px 0; border-bottom: 1px solid #c9d3c2; font-size: 15px; line-height: 21px; text-align: left; vertical-align: top; }
.issue .issue-address { overflow-wrap: anywhere; word-break: break-word; }
.foot { padding: 20px 32px 28px; border-top: 1px solid #c9d3c2; color: #46526a; font: 13px/20px Archivo, Arial, Helvetica, sans-serif; }
.foot p { margin: 0 0 10px; }
.foot a { color: ${accent}; text-decoration: underline; }
@media (max-width: 480px) {
  .head { padding: 22px 20px 0 !important; }
  .issue { padding: 12px 20px 24px !important; font-size: 17px !important; }
  .issue .wide { width: 100% !important; }
  .issue-words { overflow-x: auto !important; }
  .issue div, .issue p, .issue table { max-width: 100% !important; }
  .issue table { width: 100% !important; }
  .issue td, .issue th { width: auto !important; }
  .issue .issue-data { display: block !important; overflow-x: auto !important; }
  .issue .issue-stacks { display: block !important; width: auto !important; }
  .foot { padding: 18px 20px 32px !important; }
  .name { font-size: 34px !important; line-height: 40px !important; }
  .issue h1 { font-size: 25px !important; line-height: 31px !important; }
}
`;

const darkStyles = `@media (prefers-color-scheme: dark) {
  .name, .issue, .issue h1, .issue h2, .issue h3, .issue h4, .issue th { color: #e9f0ff !important; }
  .firm, .label, .foot, .issue caption, .issue figcaption { color: #a9bde0 !important; }
  .issue a, .foot a { color: #9ec0ff !important; }
  .issue img { color: inherit !important; }
  .issue pre { background-color: #14305b !important; }
  .issue .issue-data th { border-bottom-color: #a9bde0 !important; }
  .issue .issue-data td, .issue hr, .foot { border-color: #2c4a7c !important; }
  .issue blockquote { border-left-color: #6c9bff !important; }
}
`;

/** Without pictures of ours. An issue with colours of its own stays light in dark mode. */
export function letterhead(
  { title, preheader, newsletter, accent, label, body, foot }: MailParts,
  { isColoured }: { isColoured: boolean },
): Html {
  const head = isColoured
    ? mailHead(title, "light", stylesIn(accent))
    : mailHead(title, "light dark", inTheDark + stylesIn(accent) + darkStyles);
  return mailSheet(head, {
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
