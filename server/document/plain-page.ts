import { randomBytes } from "node:crypto";
import { html as markup } from "hono/html";
import { coloursOf } from "#content/colours.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { finishDocument } from "./finish-document.ts";

type PlainPage = {
  title: string;
  text: string;
  /** Lets the operator find the failure in the log. */
  requestId?: string;
};

/** Answers with a plain page, which is never cached. */
export function plainAnswer(
  settings: SiteSettings,
  { status, headers, ...page }: PlainPage & { status: number; headers?: Record<string, string> },
): Response {
  const nonce = randomBytes(16).toString("hex");
  const { analytics: _, colours: __, ...uncounted } = settings;
  const facts = { settings: uncounted, nonce, showsIssueBody: false, readStyles: null };
  const { html, policy } = finishDocument(plainPage(settings, page, nonce), facts);
  return new Response(html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=UTF-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": policy,
      ...headers,
    },
  });
}

/** A page without scripts or files, in the site's colours, for when the site's own pages can't or shouldn't be rendered. */
function plainPage(
  settings: SiteSettings,
  { title, text, requestId }: PlainPage,
  nonce: string,
): string {
  const { accent } = coloursOf(settings);
  const reference = requestId
    ? markup`<p><small>If you write to us about it, this number helps us find it: <code>${requestId}</code></small></p>`
    : "";
  return String(markup`<!doctype html>
<html lang="en-CA">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} | ${settings.name}</title>
<style nonce="${nonce}">
:root { color-scheme: light }
body { margin: 0; background: #eef2e9; color: #101a2b; font: 1.125rem/1.55 Archivo, system-ui, sans-serif }
main { max-width: 36rem; margin: 12vh auto; padding: 0 1.5rem }
h1 { font-size: 2rem; line-height: 1.15; margin: 0 0 1rem; padding-bottom: .75rem; border-bottom: 3px solid ${accent} }
a { color: ${accent} }
a:focus-visible { outline: 3px solid ${accent}; outline-offset: 3px }
small { color: #46526a }
code { font-family: "IBM Plex Mono", ui-monospace, monospace; overflow-wrap: anywhere }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
<p><a href="/">Go to the home page</a>, or write to <a href="mailto:${settings.email}">${settings.email}</a>.</p>
${reference}
</main>
</body>
</html>
`);
}
