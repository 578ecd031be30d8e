import type { APIRequestContext } from "@playwright/test";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import routes from "#app/routes.ts";
import { changeBody, issueOf, setIssues, threeIssues, withoutIssueTable } from "./issue-table.ts";
import { readPageHead } from "./page-head.ts";
import { expect, test } from "./site-test.ts";

// A setting of its own means a server of its own: these tests replace its issues and take its table away.
test.use({ siteSettings: { SITE_NAME: "Chalkline Filing Desk" } });

test.beforeEach(({ site }) => setIssues(site, threeIssues));

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseTagValue: false,
  htmlEntities: true,
  isArray: (name) => ["url", "item", "entry", "link"].includes(name),
});

/** The server keeps these files for a second. An address so long is never kept, so it shows what is true now. */
const asItIsNow = (path: string) => `${path}?${"now".repeat(100)}`;

async function readXml(request: APIRequestContext, path: string) {
  const response = await request.get(asItIsNow(path));
  expect(response.status()).toBe(200);
  const text = await response.text();
  expect(XMLValidator.validate(text)).toBe(true);
  return { type: response.headers()["content-type"], xml: parser.parse(text) };
}

/** Awkward in every way that an issue's words can be. */
const awkward = {
  ...issueOf(20, `Bolts & <nuts> "]]>" \u0007 for 5 < 6`, "2026-07-01"),
  html: '<h2 id="top">Top & tail</h2><p>\u000bA & B ]]&gt; <a href="#top">up</a> <a href="/pricing">in</a> <a href="https://example.com/?a=1&amp;b=2">out</a></p><script>alert(1)</script>',
};

test("the sitemap lists exactly the pages that may be found, and every issue", async ({
  request,
  site,
}) => {
  const pages = routes
    .map(({ path = "" }) => `/${path}`)
    .filter((path) => !/[:*.]/.test(path) && !/\/(confirm|unsubscribe)$/.test(path));
  const mayBeFound: string[] = [];
  for (const path of pages) {
    const head = readPageHead(await (await request.get(path)).text());
    // The archive shows its newest issue, whose own page is the one to index.
    if (!head.metas.has("robots") && path !== "/newsletter") mayBeFound.push(site.url + path);
  }
  const issues = ["all/2026", ...threeIssues.map(({ id }) => id)].map(
    (name) => `${site.url}/newsletter/${name}`,
  );
  const { type, xml } = await readXml(request, "/sitemap.xml");
  expect(type).toBe("application/xml; charset=utf-8");
  const listed = xml.urlset.url.map(({ loc }: { loc: string }) => loc);
  expect(listed.toSorted()).toEqual([...mayBeFound, ...issues].toSorted());
  expect(mayBeFound).toHaveLength(15);
});

test("the sitemap dates what has a true date, and nothing else", async ({ request, site }) => {
  await setIssues(site, [...threeIssues, issueOf(14, "Still to come", "2999-01-01")]);
  const { xml } = await readXml(request, "/sitemap.xml");
  const dated = xml.urlset.url
    .filter(({ lastmod }: { lastmod?: string }) => lastmod !== undefined)
    .map(({ loc, lastmod }: { loc: string; lastmod: string }) => [loc, lastmod]);
  expect(dated).toEqual([
    [`${site.url}/newsletter/12`, "2026-11-16T00:00:00-05:00"],
    [`${site.url}/newsletter/7`, "2026-11-09T00:00:00-05:00"],
    [`${site.url}/newsletter/3`, "2026-11-02T00:00:00-05:00"],
  ]);
});

test("an issue that is changed by hand is dated by its change", async ({ request, site }) => {
  await setIssues(
    site,
    [1, 2].map((id) => issueOf(id, `Weekly words ${id}`, "2020-01-06")),
  );
  await changeBody(site, 2, "<p>Mended.</p>");
  const { urlset } = (await readXml(request, "/sitemap.xml")).xml;
  const dateOf = (id: number) =>
    urlset.url.find(({ loc }: { loc: string }) => loc.endsWith(`/newsletter/${id}`)).lastmod;
  expect(dateOf(1)).toBe("2020-01-06T00:00:00-05:00");
  expect(Date.parse(dateOf(2))).toBeGreaterThan(Date.parse("2026-01-01"));
});

test("an issue whose date is none has none in the sitemap, and the next one's in the feed", async ({
  request,
  site,
  database,
}) => {
  const setUndated = setIssues(site, [...threeIssues, issueOf(21, "Not dated", "some day")]);
  if (database === "postgres") {
    await expect(setUndated).rejects.toThrow("invalid input syntax for type date");
    return;
  }
  await setUndated;
  const { urlset } = (await readXml(request, "/sitemap.xml")).xml;
  const [listed] = urlset.url.filter(({ loc }: { loc: string }) => loc.endsWith("/newsletter/21"));
  expect(listed).not.toHaveProperty("lastmod");
  const [undated] = (await readXml(request, "/atom.xml")).xml.feed.entry;
  expect(undated).not.toHaveProperty("published");
  expect(undated.updated).toBe("2026-11-16T00:00:00-05:00");
});

test("the RSS feed has every issue in full, newest first", async ({ request, site }) => {
  await setIssues(site, [...threeIssues, awkward]);
  const { type, xml } = await readXml(request, "/feed.xml");
  expect(type).toBe("application/rss+xml; charset=utf-8");
  const { channel } = xml.rss;
  expect(xml.rss["@version"]).toBe("2.0");
  expect(channel["atom:link"]).toMatchObject({ "@href": `${site.url}/feed.xml`, "@rel": "self" });
  expect(channel.item).toHaveLength(4);
  const [first, second] = channel.item;
  // Readers take a title and a description for HTML.
  expect(first.title).toBe(`Bolts &amp; &lt;nuts&gt; "]]&gt;"  for 5 &lt; 6`);
  expect(first.description).toMatch(/^Top &amp; tail/);
  expect(channel.title).toBe("The Matrix");
  expect(first.pubDate).toBe("Wed, 01 Jul 2026 00:00:00 -0400");
  expect(first.guid).toEqual({ "#text": `${site.url}/newsletter/20`, "@isPermaLink": "true" });
  expectSafeBody(first["content:encoded"], site.url);
  expect(second.pubDate).toBe("Mon, 16 Nov 2026 00:00:00 -0500");
  const ids = channel.item.map(({ guid }: { guid: { "#text": string } }) => guid["#text"]);
  expect(new Set(ids).size).toBe(4);
});

test("the Atom feed has the same, with the dates that it must have", async ({ request, site }) => {
  await setIssues(site, [...threeIssues, awkward]);
  const { type, xml } = await readXml(request, "/atom.xml");
  expect(type).toBe("application/atom+xml; charset=utf-8");
  const { feed } = xml;
  expect(feed.id).toBe(`${site.url}/atom.xml`);
  expect(feed.updated).toBe("2026-11-16T00:00:00-05:00");
  expect(feed.author.name).toBe("Chalkline Filing Desk");
  expect(feed.entry).toHaveLength(4);
  const [first] = feed.entry;
  expect(first.id).toBe(`${site.url}/newsletter/20`);
  expect(first.published).toBe("2026-07-01T00:00:00-04:00");
  expect(first.content["@type"]).toBe("html");
  expectSafeBody(first.content["#text"], site.url);
  expect(new Set(feed.entry.map(({ id }: { id: string }) => id)).size).toBe(4);
});

test("the JSON feed has the same", async ({ request, site }) => {
  await setIssues(site, [...threeIssues, awkward]);
  const response = await request.get(asItIsNow("/newsletter/feed.json"));
  expect(response.headers()["content-type"]).toBe("application/feed+json; charset=utf-8");
  const feed = await response.json();
  expect(feed).toMatchObject({
    version: "https://jsonfeed.org/version/1.1",
    title: "The Matrix",
    feed_url: `${site.url}/newsletter/feed.json`,
  });
  expect(feed.items).toHaveLength(4);
  expect(feed.items[0]).toMatchObject({
    id: `${site.url}/newsletter/20`,
    title: 'Bolts & <nuts> "]]>" \u0007 for 5 < 6',
    date_published: "2026-07-01T00:00:00-04:00",
  });
  expectSafeBody(feed.items[0].content_html, site.url);
});

function expectSafeBody(html: string, siteUrl: string) {
  expect(html).toContain("Top &amp; tail");
  expect(html).toContain("A &amp; B ]]&gt;");
  expect(html).not.toContain("alert(1)");
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  expect(links).toEqual([
    `${siteUrl}/newsletter/20#issue-top`,
    `${siteUrl}/pricing`,
    "https://example.com/?a=1&amp;b=2",
  ]);
}

test("feeds of an empty archive are whole", async ({ request, site }) => {
  await setIssues(site, []);
  expect((await readXml(request, "/feed.xml")).xml.rss.channel).not.toHaveProperty("item");
  const { feed } = (await readXml(request, "/atom.xml")).xml;
  expect(feed).not.toHaveProperty("entry");
  expect(Date.now() - Date.parse(feed.updated)).toBeLessThan(2 * 86_400_000);
  const json = await (await request.get(asItIsNow("/newsletter/feed.json"))).json();
  expect(json).toMatchObject({ title: "The Matrix", items: [] });
  expect(await (await request.get(asItIsNow("/newsletter/all"))).text()).toContain(
    "The first issue is being written.",
  );
});

test("every page leads feed readers to its feeds", async ({ request }) => {
  for (const path of ["/", "/newsletter", "/newsletter/7", "/terms"]) {
    const { links } = readPageHead(await (await request.get(path)).text());
    const feeds = links.filter(({ rel }) => rel === "alternate");
    expect(feeds.map(({ type, href }) => [type, href])).toEqual([
      ["application/rss+xml", "/feed.xml"],
      ["application/atom+xml", "/atom.xml"],
      ["application/feed+json", "/newsletter/feed.json"],
    ]);
  }
});

for (const path of ["/sitemap.xml", "/feed.xml", "/atom.xml", "/newsletter/feed.json"]) {
  test(`${path} is its last good copy while the issues can't be read, and no shorter list`, async ({
    request,
    site,
  }) => {
    const before = await request.get(path);
    await withoutIssueTable(site, async () => {
      // The last good copy, which every cache on the way is told not to give without asking.
      await expect
        .poll(async () => (await request.get(path)).headers()["cache-control"])
        .toContain("must-revalidate");
      const response = await request.get(path);
      expect(response.status()).toBe(200);
      expect(await response.text()).toBe(await before.text());
    });
    expect((await request.get(path)).status()).toBe(200);
  });

  test(`${path} has a new issue within two seconds`, async ({ request, site }) => {
    expect(await (await request.get(path)).text()).not.toContain("/newsletter/40");
    await setIssues(site, [...threeIssues, issueOf(40, "Just published", "2026-11-20")]);
    expect(await (await request.get(path)).text()).toContain("/newsletter/40");
  });
}

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
  const fields = (await response.text())
    .trim()
    .split("\n")
    .map((line) => /^([A-Z][A-Za-z-]+): (\S.*)$/.exec(line)?.slice(1));
  const valuesOf = (name: string) => fields.filter((f) => f?.[0] === name).map((f) => f?.[1]);
  expect(valuesOf("Contact")[0]).toBe("mailto:hello@chalkline.example");
  expect(valuesOf("Preferred-Languages")).toEqual(["en"]);
  expect(valuesOf("Canonical")).toEqual([`${site.url}/.well-known/security.txt`]);
  const [expires = ""] = valuesOf("Expires");
  const daysLeft = (Date.parse(expires) - Date.now()) / 86_400_000;
  expect(valuesOf("Expires")).toHaveLength(1);
  expect(daysLeft).toBeGreaterThan(90);
  expect(daysLeft).toBeLessThan(365);
});

test("llms.txt names the firm and links every page that may be found", async ({
  request,
  site,
}) => {
  const text = await (await request.get("/llms.txt")).text();
  expect(text).toMatch(/^# Chalkline Filing Desk\n\n> /);
  const { xml } = await readXml(request, "/sitemap.xml");
  const pages = xml.urlset.url.map(({ loc }: { loc: string }) => loc);
  for (const page of pages.filter((loc: string) => !/\/newsletter\/(?:all\/)?[\d-]+$/.test(loc))) {
    expect(text).toContain(`](${page})`);
  }
  expect(text).toContain(`${site.url}/feed.xml`);
});
