import { html } from "hono/html";
import { contact } from "#content/pages/contact.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { footer, languageTag } from "#content/site.ts";
import type { SiteSettings } from "#content/site-settings.ts";
import { pages } from "#pages.ts";
import { lastModified } from "../newsletter/publish-date.server.ts";
import type { SiteServices } from "../ports.ts";
import { issuesFileResponse, xmlDocument } from "../seo/file-response.server.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/site-files";

/** Files that depend on settings alone. */
const files: Record<string, { type: string; write: (settings: SiteSettings) => string }> = {
  "/robots.txt": { type: "text/plain", write: robotsText },
  "/.well-known/security.txt": { type: "text/plain", write: securityText },
  "/manifest.webmanifest": { type: "application/manifest+json", write: manifest },
};

export function loader({ request, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const file = files[new URL(request.url).pathname];
  if (!file) return sitemap(site);
  return new Response(file.write(site.settings), {
    headers: {
      "Content-Type": `${file.type}; charset=utf-8`,
      "Cache-Control": "public, max-age=3600",
    },
  });
}

/** sitemaps.org. When a page last changed is unknown. */
function sitemap({ archive, settings, reportError }: SiteServices): Promise<Response> {
  return issuesFileResponse({ reportError }, "application/xml", async () => {
    const issues = await archive.heads();
    const edits = await archive.edits();
    const listed = pages.filter(({ isInSitemap }) => isInSitemap).map(({ path }) => path);
    const now = new Date();
    const addresses = [
      ...listed.map((path) => address(new URL(path, settings.url).href, null)),
      ...issues.map(({ id, publishDate }) =>
        address(
          `${settings.url}${newsletter.head.path}/${id}`,
          lastModified(publishDate, edits.get(id), now),
        ),
      ),
    ];
    return xmlDocument(
      html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${addresses}</urlset>`,
    );
  });
}

function address(href: string, lastmod: string | null) {
  return html`
<url><loc>${href}</loc>${lastmod && html`<lastmod>${lastmod}</lastmod>`}</url>`;
}

/** RFC 9309. Excluded pages say `noindex`, which a crawler sees only if it may fetch them. */
function robotsText({ url }: SiteSettings): string {
  return [
    "User-agent: *",
    "Allow: /",
    "Disallow: /rest/",
    "Disallow: /functions/",
    "",
    `Sitemap: ${url}/sitemap.xml`,
    "",
  ].join("\n");
}

function securityText({ url, email }: SiteSettings): string {
  const expires = new Date();
  // RFC 9116 recommends less than a year.
  expires.setUTCDate(expires.getUTCDate() + 180);
  expires.setUTCHours(0, 0, 0, 0);
  return [
    `Contact: mailto:${email}`,
    `Contact: ${url}${contact.head.path}`,
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${url}/.well-known/security.txt`,
    "",
  ].join("\n");
}

function manifest({ name, logo }: SiteSettings): string {
  // `--color-paper` of app/styles/tokens.css.
  const paper = "#eef2e9";
  const ownIcons = [
    { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
    { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
    { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
    { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
  ];
  return JSON.stringify({
    id: "/",
    name,
    short_name: name,
    description: footer.description,
    lang: languageTag,
    start_url: "/",
    display: "browser",
    background_color: paper,
    theme_color: paper,
    icons: logo ? [{ src: logo, sizes: "any" }] : ownIcons,
  });
}
