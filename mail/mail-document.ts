import { raw, html as template } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { SiteIdentity } from "#content/site-settings.ts";

export type Html = HtmlEscapedString;

/** Hono's template for values that aren't promises. */
export function html(parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  return template(parts, ...values) as Html;
}

const onPhones = `
@media (max-width: 480px) {
  .around { padding: 0 !important; }
  .sheet { border-width: 0 !important; }
}
`;

/** Of the sheet, for mails that follow a program's dark mode. */
export const inTheDark = `@media (prefers-color-scheme: dark) {
  .paper { background-color: #0a1a33 !important; }
  .sheet { background-color: #0d2140 !important; border-color: #2c4a7c !important; }
  .chalk { background-color: #6c9bff !important; }
}
`;

const styles = `@media (prefers-color-scheme: dark) {
  .words, .words h1 { color: #e9f0ff !important; }
  .second { color: #a9bde0 !important; }
  .words a { color: #9ec0ff !important; }
  .words a.button { color: #ffffff !important; }
  .words code { background-color: #14305b !important; }
}
`;

/** Outlook sets its text at 96 dots an inch. */
export function mailHead(title: string, schemes: "light" | "light dark", styles: string): Html {
  return html`<!doctype html>
<html lang="en-CA" dir="ltr" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<meta name="color-scheme" content="${schemes}">
<meta name="supported-color-schemes" content="${schemes}">
<title>${title}</title>
<!--[if mso]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><![endif]-->
<style>${raw(onPhones + styles) as Html}</style>
</head>`;
}

/** 600 pixels wide; Outlook needs the tables. */
export function mailSheet(
  head: Html,
  { before = html``, rows }: { before?: Html; rows: Html },
): Html {
  return html`${head}
<body class="paper" bgcolor="#eef2e9" style="margin:0;padding:0;background-color:#eef2e9">
${before}<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#eef2e9" style="table-layout:fixed"><tr><td class="around" align="center" style="padding:24px 12px 40px">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#fafcf6" style="table-layout:fixed;max-width:600px;background-color:#fafcf6;border:1px solid #c9d3c2">
${rows}
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`;
}

type MailDocument = { title: string; site: Pick<SiteIdentity, "name" | "accent">; content: Html };

export function mailDocument({ title, site, content }: MailDocument): Html {
  return mailSheet(mailHead(title, "light dark", inTheDark + styles), {
    rows: html`<tr><td class="words" align="left" style="padding:24px 28px 26px;color:#101a2b;font:16px/1.5 Archivo,Arial,Helvetica,sans-serif;overflow-wrap:anywhere">
<p class="second" style="margin:0 0 8px;color:#46526a;font-size:14px;font-weight:bold">${site.name}</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="chalk" bgcolor="${site.accent}" style="height:3px;background-color:${site.accent};font-size:1px;line-height:3px">&nbsp;</td></tr></table>
<h1 style="margin:20px 0 14px;color:#101a2b;font-size:22px;line-height:1.25">${title}</h1>
${content}
</td></tr>`,
  });
}

export function mailButton(
  { accent }: Pick<SiteIdentity, "accent">,
  { address, words }: { address: string; words: string },
): Html {
  return html`<p style="margin:20px 0"><a class="button" href="${address}" style="display:inline-block;padding:12px 20px;background-color:${accent};color:#ffffff;font-weight:bold;text-decoration:none">${words}</a></p>
<p>Or copy this address into your browser and press the button there:<br><a href="${address}" style="color:${accent};font-size:14px">${address}</a></p>`;
}
