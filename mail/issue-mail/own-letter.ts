import { raw } from "hono/html";
import { type Html, html } from "../mail-document.ts";
import { footWords, preheaderLine } from "./letterhead.ts";
import type { MailParts } from "./mail-parts.ts";

/** The sanitiser leaves font names out, and mail programs would set what has none in Times. */
const styles = `
.own, .own table, .own td, .own th, .own p, .own li, .own h1, .own h2, .own h3, .own h4 { font-family: Arial, Helvetica, sans-serif; }
.own div { box-sizing: border-box; }
.own img { max-width: 100%; height: auto; }
.own pre { white-space: pre-wrap; word-break: break-word; }
.own-foot { padding: 20px 24px 32px; background-color: #ffffff; color: #46526a; font: 13px/20px Arial, Helvetica, sans-serif; text-align: center; }
.own-foot p { margin: 0 0 8px; }
.own-foot a { color: #1f4fd8; text-decoration: underline; }
@media (max-width: 620px) {
  .own table, .own td, .own th, .own div { max-width: 100% !important; min-width: 0 !important; }
  .own table { width: 100% !important; }
  .own td, .own th { width: auto !important; overflow-wrap: break-word; }
  .own img { max-width: 100% !important; height: auto !important; }
  .own .wide { width: 100% !important; }
  .own .stacks { display: block !important; width: auto !important; }
  .own .data td, .own .data th { padding-left: 4px !important; padding-right: 4px !important; font-size: 14px !important; }
  .bare { padding: 0 16px !important; }
}
`;

/**
 * A document with a look of its own, as it is; below it stands what the law asks of every issue, whatever the document
 * says itself. On a phone columns of words stand under one another, and words that would touch the screen's edge get a
 * margin: what the document says of small screens itself is in style sheets that don't go along. It's light in dark rooms
 * too: colours that somebody chose don't bear being turned round.
 */
export function ownLetter(
  { title, preheader, body, foot }: MailParts,
  { canvas, isBare }: { canvas: string | null; isBare: boolean },
): Html {
  const colour = canvas ?? "#ffffff";
  return html`<!doctype html>
<html lang="en-CA">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="x-apple-disable-message-reformatting">
<meta name="color-scheme" content="light">
<title>${title}</title>
<style>${raw(styles) as Html}</style>
</head>
<body style="margin:0;padding:0;background-color:${colour}" bgcolor="${colour}">
${preheaderLine(preheader)}<div class="${isBare ? "own bare" : "own"}">
${raw(body) as Html}
</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff"><tr><td class="own-foot" align="center">${footWords(foot)}</td></tr></table>
</body>
</html>
`;
}
