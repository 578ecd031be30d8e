import { raw } from "hono/html";
import { newsletterName } from "#content/site.ts";
import { type Html, html } from "../mail-document.ts";
import { letterheadStyles } from "./letterhead-styles.ts";
import type { MailParts } from "./mail-parts.ts";

/**
 * An issue on The Matrix's own paper: the name, the line and the number as type, so that nothing is missing where
 * pictures are off. Tables hold it in Outlook; the styles in the head are for narrow screens and dark rooms.
 */
export function letterhead({ title, preheader, label, body, foot }: MailParts): Html {
  return html`<!doctype html>
<html lang="en-CA" dir="ltr" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<!--[if mso]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><![endif]-->
<style>${raw(letterheadStyles) as Html}</style>
</head>
<body class="paper" bgcolor="#eef2e9">
${preheaderLine(preheader)}<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#eef2e9"><tr><td class="around" align="center">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#fafcf6">
<tr><td class="head">
<p class="firm">${foot.senderName}</p>
<p class="name">${newsletterName}</p>
<table role="presentation" class="line" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="chalk" bgcolor="#1f4fd8">&nbsp;</td></tr></table>
<p class="label">${label}</p>
</td></tr>
<tr><td class="issue">
<h1>${title}</h1>
${raw(body) as Html}
</td></tr>
<tr><td class="foot">${footWords(foot)}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`;
}

/** Shown beside the subject in a list of mails, and nowhere else; what follows keeps the first words of the mail out. */
export function preheaderLine(preheader: string): Html {
  const filler = raw("&#847;&zwnj;&nbsp;".repeat(60)) as Html;
  return html`<div class="preheader" style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all">${preheader}${filler}</div>
`;
}

/** A link that breaks before it and not in it. */
function whole(address: string, words: string): Html {
  return html`<a href="${address}" style="white-space:nowrap">${words}</a>`;
}

/**
 * Who sends it and from where, why it came, and how to leave (CASL, s. 6(2); Electronic Commerce Protection Regulations).
 */
export function footWords({
  senderName,
  address,
  reach,
  why,
  unsubscribe,
  page,
}: MailParts["foot"]) {
  return html`<p>${why}</p>
<p>${whole(unsubscribe, "Leave the list")}&nbsp;&nbsp; ${whole(page, "View in browser")}</p>
<p>${senderName}<br>${address}<br>${reach}</p>`;
}
