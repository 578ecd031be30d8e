import { type Html, html } from "./html.ts";

/** A whole HTML e-mail around its content: plain, readable without images or stylesheets. */
export function mailDocument({ title, content }: { title: string; content: Html }): Html {
  return html`<!doctype html>
<html lang="en-CA">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
</head>
<body style="margin:0;padding:24px;background:#ffffff;color:#101a2b;font:16px/1.5 Arial,sans-serif">
<div style="max-width:640px">
${content}
</div>
</body>
</html>
`;
}
