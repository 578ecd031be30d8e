import type { SiteSettings } from "#contracts/site-settings.ts";

type PlainPage = {
  title: string;
  text: string;
  /** What its styles are marked with, so that the page's policy lists them. */
  mark: string;
  /** Lets the operator find the failure in the log. */
  requestId?: string;
};

/**
 * A page that needs nothing but itself, for when the site's own pages can't be made or shouldn't be: no scripts, no
 * files, no internals. In the site's colours.
 */
export function plainPage(
  settings: SiteSettings,
  { title, text, mark, requestId }: PlainPage,
): string {
  const reference = requestId
    ? `<p><small>If you write to us about it, this number helps us find it: <code>${escapeHtml(requestId)}</code></small></p>`
    : "";
  return `<!doctype html>
<html lang="en-CA">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} | ${escapeHtml(settings.name)}</title>
<style nonce="${mark}">
:root { color-scheme: light }
body { margin: 0; background: #eef2e9; color: #101a2b; font: 1.125rem/1.55 Archivo, system-ui, sans-serif }
main { max-width: 36rem; margin: 12vh auto; padding: 0 1.5rem }
h1 { font-size: 2rem; line-height: 1.15; margin: 0 0 1rem; padding-bottom: .75rem; border-bottom: 3px solid #1f4fd8 }
a { color: #1f4fd8 }
a:focus-visible { outline: 3px solid #1f4fd8; outline-offset: 3px }
small { color: #46526a }
code { font-family: "IBM Plex Mono", ui-monospace, monospace; overflow-wrap: anywhere }
</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<p><a href="/">Go to the home page</a>, or write to <a href="mailto:${escapeHtml(settings.email)}">${escapeHtml(settings.email)}</a>.</p>
${reference}
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
