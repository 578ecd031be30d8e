import type { APIRequestContext } from "@playwright/test";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import routes from "#app/routes.ts";
import { inDatabase, issueOf, setIssues, threeIssues } from "./issue-table.ts";
import { readPageHead } from "./page-head.ts";
import { expect, test } from "./site-test.ts";

// A setting of its own means a server of its own: these tests replace its issues.
test.use({ siteSettings: { SITE_NAME: "Chalkline Newsletter Desk" } });

test.beforeEach(({ site }) => setIssues(site, threeIssues));

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseTagValue: false,
  htmlEntities: true,
  isArray: (name) => ["url", "item"].includes(name),
});

async function readXml(request: APIRequestContext, path: string) {
  const response = await request.get(path);
  expect(response.status()).toBe(200);
  const text = await response.text();
  expect(XMLValidator.validate(text)).toBe(true);
  return { type: response.headers()["content-type"], xml: parser.parse(text) };
}

/** The date of each address, without the origin. */
async function readSitemap(request: APIRequestContext, site: { url: string }) {
  const { type, xml } = await readXml(request, "/sitemap.xml");
  const urls = xml.urlset.url.map(({ loc, lastmod }: { loc: string; lastmod?: string }) => {
    expect(loc.startsWith(site.url)).toBe(true);
    return [loc.slice(site.url.length) || "/", lastmod] as const;
  });
  return { type, urls: new Map<string, string | undefined>(urls) };
}

const dayMs = 86_400_000;

/** Awkward in every way that an issue's words can be. */
const awkward = {
  ...issueOf(20, `Bolts & <nuts> "]]>" \u0007 for 5 < 6`, "2026-07-01"),
  html: '<h2 id="top">Top & tail</h2><p>\u000bA & B ]]&gt; <a href="#top">up</a> <a href="/pricing">in</a> <a href="https://example.com/?a=1&amp;b=2">out</a></p><script>alert(1)</script>',
};

test("the sitemap lists the pages that may be found, and issues", async ({ request, site }) => {
  const found: string[] = [];
  for (const { path: pattern = "" } of routes) {
    const path = `/${pattern}`;
    if (/[:*.]|\/(confirm|unsubscribe)$/.test(path)) continue;
    const head = readPageHead(await (await request.get(path)).text());
    if (!head.metas.has("robots")) found.push(path);
  }
  expect(found).toHaveLength(17);
  await setIssues(site, [...threeIssues, issueOf(14, "Still to come", "2999-01-01")]);
  const { type, urls } = await readSitemap(request, site);
  expect(type).toBe("application/xml; charset=utf-8");
  const issues = [3, 7, 12, 14].map((name) => `/newsletter/${name}`);
  expect([...urls.keys()].toSorted()).toEqual([...found, ...issues].toSorted());
  expect([...urls].filter(([, date]) => date !== undefined)).toEqual([
    ["/newsletter/12", "2026-11-16T00:00:00-05:00"],
    ["/newsletter/7", "2026-11-09T00:00:00-05:00"],
    ["/newsletter/3", "2026-11-02T00:00:00-05:00"],
  ]);
  // An issue that is changed by hand is dated by its change.
  const mended = { content_markdown: "<p>Mended.</p>" };
  await inDatabase(site, (db) =>
    db.updateTable("final_newsletters").set(mended).where("id", "=", 7).execute(),
  );
  await site.passTime(dayMs);
  const changed = (await readSitemap(request, site)).urls.get("/newsletter/7") ?? "";
  expect(changed).not.toBe("2026-11-09T00:00:00-05:00");
  expect(Date.now() - Date.parse(changed)).toBeLessThan(dayMs);
});

test("the feed has every issue in full, newest first", async ({ request, site }) => {
  await setIssues(site, [...threeIssues, awkward]);
  const rss = await readXml(request, "/feed.xml");
  expect(rss.type).toBe("application/rss+xml; charset=utf-8");
  const { channel, "@version": version } = rss.xml.rss;
  expect([version, channel.title]).toEqual(["2.0", "The Matrix"]);
  expect(channel["atom:link"]).toMatchObject({ "@href": `${site.url}/feed.xml`, "@rel": "self" });
  expect(channel.item.map(({ pubDate }: { pubDate: string }) => pubDate)).toEqual([
    "Wed, 01 Jul 2026 00:00:00 -0400",
    "Mon, 16 Nov 2026 00:00:00 -0500",
    "Mon, 09 Nov 2026 00:00:00 -0500",
    "Mon, 02 Nov 2026 00:00:00 -0500",
  ]);
  // Readers take a title and a description for HTML.
  expect(channel.item[0]).toMatchObject({
    title: `Bolts &amp; &lt;nuts&gt; "]]&gt;"  for 5 &lt; 6`,
    description: expect.stringMatching(/^Top &amp; tail/),
    guid: { "#text": `${site.url}/newsletter/20`, "@isPermaLink": "true" },
  });
  const html: string = channel.item[0]["content:encoded"];
  expect(html).toContain("Top &amp; tail");
  expect(html).toContain("A &amp; B ]]&gt;");
  expect(html).not.toContain("alert(1)");
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  expect(links).toEqual([
    `${site.url}/newsletter/20#issue-top`,
    `${site.url}/pricing`,
    "https://example.com/?a=1&amp;b=2",
  ]);
});

test("the feed of an empty archive is whole", async ({ request, site }) => {
  await setIssues(site, []);
  expect((await readXml(request, "/feed.xml")).xml.rss.channel).not.toHaveProperty("item");
  expect(await (await request.get("/newsletter/all")).text()).toContain(
    "The first issue is being written.",
  );
});

test("robots.txt lets crawlers in and names the sitemap", async ({ request, site }) => {
  const response = await request.get("/robots.txt");
  expect(response.headers()["content-type"]).toBe("text/plain; charset=utf-8");
  const lines = (await response.text()).split("\n");
  expect(lines).toContain("User-agent: *");
  expect(lines).toContain(`Sitemap: ${site.url}/sitemap.xml`);
  expect(lines.filter((line) => line.startsWith("Disallow"))).toEqual([
    "Disallow: /rest/",
    "Disallow: /functions/",
  ]);
});

test("security.txt has what RFC 9116 asks for", async ({ request, site }) => {
  const response = await request.get("/.well-known/security.txt");
  expect(response.status()).toBe(200);
  expect(response.headers()["content-type"]).toBe("text/plain; charset=utf-8");
  const text = await response.text();
  expect(text).toMatch(/^Contact: mailto:hello@chalkline\.example$/m);
  expect(text).toMatch(/^Preferred-Languages: en$/m);
  expect(text).toContain(`Canonical: ${site.url}/.well-known/security.txt\n`);
  const expires = [...text.matchAll(/^Expires: (.+)$/gm)].map(([, date = ""]) => Date.parse(date));
  expect(expires).toHaveLength(1);
  const daysLeft = ((expires[0] ?? 0) - site.now()) / dayMs;
  expect(daysLeft).toBeGreaterThan(90);
  expect(daysLeft).toBeLessThan(365);
});
