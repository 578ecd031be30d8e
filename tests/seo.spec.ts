import { readFileSync } from "node:fs";
import path from "node:path";
import type { APIRequestContext } from "@playwright/test";
import routes from "#app/routes.ts";
import { issueOf, keepIssuePicture, setIssues, threeIssues } from "./issue-table.ts";
import { type PageHead, readPageHead } from "./page-head.ts";
import { checkStructuredData, readVocabulary } from "./schema-org.ts";
import { expect, test } from "./site-test.ts";

// A setting of its own means a server of its own: these tests replace its issues.
test.use({ siteSettings: { SITE_NAME: "Chalkline Survey Desk" } });

test.beforeEach(({ site }) => setIssues(site, threeIssues));

/** The types of each page's own structured data; those of every page are checked with all of them. */
const typesOfPage: Record<string, string[]> = {
  "/": ["FAQPage"],
  "/pricing": ["BreadcrumbList", "FAQPage", "Service"],
  "/use-cases": ["BreadcrumbList", "FAQPage", "Service"],
  "/use-cases/leads": ["BreadcrumbList", "Service"],
  "/use-cases/content-creation": ["BreadcrumbList", "Service"],
  "/use-cases/social-media": ["BreadcrumbList", "Service"],
  "/use-cases/email-management": ["BreadcrumbList", "Service"],
  "/use-cases/client-management": ["BreadcrumbList", "Service"],
  "/use-cases/specialized-agents": ["BreadcrumbList", "Service"],
  "/use-cases/business-operations": ["BreadcrumbList", "Service"],
  "/newsletter": [],
  "/newsletter/all": [],
  "/about": ["FAQPage"],
  "/contact": [],
  "/terms": [],
  "/privacy": [],
};

const firm = "Organization,ProfessionalService";
const typesOfEveryPage = [firm, "WebSite"];
const useCase = /^\/use-cases\/./;
const notForSearchEngines = [
  "/use-cases/personal-assistants",
  "/newsletter/confirm",
  "/newsletter/unsubscribe",
  "/search",
];
/** Shows the newsletter's picture, as issues do. */
const allIssues = "/newsletter/all";
const indexable = Object.keys(typesOfPage);
const issuePaths = threeIssues.map(({ id }) => `/newsletter/${id}`);
const vocabulary = readVocabulary();

async function readPage(request: APIRequestContext, path: string): Promise<PageHead> {
  const response = await request.get(path);
  expect(response.status(), path).toBe(200);
  return readPageHead(await response.text());
}

const only = (head: PageHead, key: string) => {
  const contents = head.metas.get(key) ?? [];
  expect(contents, `<meta> ${key}`).toHaveLength(1);
  return contents[0] ?? "";
};
const hrefOf = (head: PageHead, rel: string) =>
  head.links.filter((link) => link.rel === rel).map(({ href }) => href);

test("the tables above name every page of the route table", () => {
  const pages = routes
    .map(({ path = "" }) => `/${path}`)
    .filter((path) => !/[:*.]/.test(path))
    .sort();
  expect([...indexable, ...notForSearchEngines].sort()).toEqual(pages);
});

for (const path of [...indexable, ...issuePaths]) {
  test(`${path} has a head of its own`, async ({ request, site }) => {
    const head = await readPage(request, path);
    const description = only(head, "description");
    expect(head.title).toMatch(/^.{15,60} \| Chalkline Survey Desk$/);
    const title = head.title.replace(/ \| Chalkline Survey Desk$/, "");
    expect(description.length, description).toBeGreaterThanOrEqual(70);
    expect(description.length, description).toBeLessThanOrEqual(160);
    const address = path === "/" ? `${site.url}/` : site.url + path;
    // The archive shows its newest issue, whose own page is the one to index.
    expect(hrefOf(head, "canonical")).toEqual([
      path === "/newsletter" ? `${site.url}${issuePaths.at(-1)}` : address,
    ]);
    expect(head.metas.get("robots")).toBeUndefined();
    expect(head.metas.has("keywords")).toBe(useCase.test(path));

    expect(only(head, "og:type")).toBe(issuePaths.includes(path) ? "article" : "website");
    expect(only(head, "og:site_name")).toBe("Chalkline Survey Desk");
    expect(only(head, "og:url")).toBe(address);
    expect(only(head, "twitter:card")).toBe("summary_large_image");
    for (const [sharing, own] of [
      ["title", title],
      ["description", description],
    ] as const) {
      expect(only(head, `og:${sharing}`)).toBe(own);
      expect(only(head, `twitter:${sharing}`)).toBe(own);
    }
  });

  test(`${path} has structured data that schema.org knows`, async ({ request }) => {
    const head = await readPage(request, path);
    const types = head.structuredData.map((data) => String(data["@type"]));
    const own = typesOfPage[path] ?? ["Article", "BreadcrumbList"];
    expect(types.sort()).toEqual([...own, ...typesOfEveryPage].sort());
    for (const data of head.structuredData) {
      expect(checkStructuredData(data, vocabulary)).toEqual([]);
    }
    expect(danglingReferences(head.structuredData)).toEqual([]);
  });
}

/** Ids that a node refers to by nothing but the id, and that no node of the page describes. */
function danglingReferences(documents: unknown[]): string[] {
  const described = new Set<string>();
  const referred = new Set<string>();
  function visit(value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    const { "@id": id, ...rest } = value as Record<string, unknown>;
    if (typeof id === "string") (Object.keys(rest).length > 0 ? described : referred).add(id);
    Object.values(value).forEach(visit);
  }
  documents.forEach(visit);
  return [...referred].filter((id) => !described.has(id));
}

for (const path of indexable.filter((page) => typesOfPage[page]?.includes("FAQPage"))) {
  test(`every question in ${path}'s structured data stands on the page, word for word`, async ({
    request,
  }) => {
    const head = await readPage(request, path);
    const faq = head.structuredData.find((data) => data["@type"] === "FAQPage");
    const questions = faq?.mainEntity as { name: string; acceptedAnswer: { text: string } }[];
    expect(questions.length).toBeGreaterThan(2);
    for (const { name, acceptedAnswer } of questions) {
      expect(head.mainText).toContain(name);
      expect(head.mainText).toContain(acceptedAnswer.text);
    }
  });
}

test("no two pages share a title, a description or a picture's words", async ({ request }) => {
  const heads: PageHead[] = [];
  // One after the other: of so many at once, a server that has made none of them yet refuses some.
  for (const path of [...indexable, "/use-cases/personal-assistants", "/search"]) {
    heads.push(await readPage(request, path));
  }
  const own = (read: (head: PageHead) => string) => new Set(heads.map(read)).size;
  expect(own(({ title }) => title)).toBe(heads.length);
  expect(own((head) => only(head, "description"))).toBe(heads.length);
});

for (const path of ["/use-cases/personal-assistants", "/search", "/search?q=invoice"]) {
  test(`${path} asks to be left out of search engines`, async ({ request }) => {
    const head = await readPage(request, path);
    expect(only(head, "robots")).toBe("noindex");
    expect(hrefOf(head, "canonical")).toEqual([]);
  });
}

test("each page has a picture of 1200 × 630 pixels that is its own and light", async ({
  request,
  site,
}) => {
  const pictures = new Map<string, string>();
  const withPicture = indexable.filter((path) => path !== allIssues);
  for (const path of withPicture) {
    const head = await readPage(request, path);
    const image = only(head, "og:image");
    expect(only(head, "twitter:image")).toBe(image);
    expect(only(head, "og:image:alt")).toBe(
      `“${only(head, "og:title")}” above a chalk line on squared paper`,
    );
    expect(only(head, "twitter:image:alt")).toBe(only(head, "og:image:alt"));
    expect(image.startsWith(`${site.url}/share/`)).toBe(true);
    const response = await request.get(image);
    expect(response.status(), image).toBe(200);
    expect(response.headers()["content-type"]).toBe("image/png");
    const bytes = await response.body();
    expect(bytes.length, image).toBeLessThan(60_000);
    const size = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    expect(size).toEqual([1200, 630]);
    expect([only(head, "og:image:width"), only(head, "og:image:height")]).toEqual(size.map(String));
    pictures.set(bytes.toString("base64"), path);
  }
  expect(pictures.size).toBe(withPicture.length);
});

test("issues and pages without a picture of their own share one that exists", async ({
  request,
}) => {
  const newsletter = only(await readPage(request, "/newsletter"), "og:image");
  for (const path of [allIssues, ...issuePaths]) {
    expect(only(await readPage(request, path), "og:image")).toBe(newsletter);
  }
  for (const path of ["/search?q=invoice", "/use-cases/personal-assistants"]) {
    const image = only(await readPage(request, path), "og:image");
    expect((await request.get(image)).status()).toBe(200);
  }
});

test("an issue's article says when it was published and changed, with the time zone", async ({
  request,
  site,
}) => {
  const articleOf = async () =>
    (await readPage(request, "/newsletter/7")).structuredData.find(
      (data) => data["@type"] === "Article",
    );
  const published = "2026-11-09T00:00:00-05:00";
  expect(await articleOf()).toMatchObject({
    headline: "Answer the lead",
    datePublished: published,
    dateModified: published,
  });
  const head = await readPage(request, "/newsletter/7");
  expect(only(head, "article:published_time")).toBe(published);
  const crumbs = head.structuredData.find((data) => data["@type"] === "BreadcrumbList");
  expect(JSON.stringify(crumbs)).toContain(`${site.url}/newsletter"`);
});

test("an issue with a picture of this site's is shared with it", async ({ request, site }) => {
  const keep = (file: string) => {
    const bytes = readFileSync(path.join(import.meta.dirname, "../public", file));
    return keepIssuePicture(site, 7, { bytes, type: "image/png" });
  };
  const [logo, plan] = [await keep("icon-192.png"), await keep("icon-512.png")];
  const html = `<img src="${logo}" width="90" alt="A logo"><p>Words.</p><img src="${plan}" alt="A plan">`;
  await setIssues(site, [{ ...issueOf(7, "A plan", "2026-11-09"), html }]);
  const head = await readPage(request, "/newsletter/7");
  expect(only(head, "og:image")).toBe(site.url + plan);
  expect(head.metas.has("og:image:width")).toBe(false);
});

test("the firm is described as the settings and the specification have it", async ({
  request,
  site,
}) => {
  const { structuredData } = await readPage(request, "/contact");
  expect(structuredData.find((data) => String(data["@type"]) === firm)).toMatchObject({
    name: "Chalkline Survey Desk",
    url: site.url,
    telephone: "+1 416 555 0142",
    address: { addressLocality: "Toronto", addressRegion: "ON", addressCountry: "CA" },
    openingHoursSpecification: {
      dayOfWeek: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"],
      opens: "09:00",
      closes: "18:00",
    },
  });
  const website = structuredData.find((data) => data["@type"] === "WebSite");
  const [, template = ""] = /"urlTemplate":"([^"]+)"/.exec(JSON.stringify(website)) ?? [];
  const address = template.replace("{term}", "invoice");
  expect(await (await request.get(address)).text()).toMatch(/results for/);
});

test("every icon that a page names is there, in its size", async ({ request }) => {
  const { links } = await readPage(request, "/");
  const manifestHref = links.find(({ rel }) => rel === "manifest")?.href ?? "";
  const manifest = await request.get(manifestHref);
  expect(manifest.headers()["content-type"]).toMatch(/^application\/manifest\+json/);
  const { icons, name } = await manifest.json();
  expect(name).toBe("Chalkline Survey Desk");
  const named: { src: string; sizes?: string }[] = [
    ...links
      .filter(({ rel }) => rel.includes("icon"))
      .map(({ href, sizes }) => ({ src: href, sizes })),
    ...icons,
  ];
  expect(named.map(({ src }) => src)).toEqual(
    expect.arrayContaining(["/favicon.ico", "/favicon.svg", "/apple-touch-icon.png"]),
  );
  for (const { src, sizes } of named) {
    if (src.startsWith("data:")) {
      const drawing = await (await request.get("/favicon.svg")).text();
      expect(decodeURIComponent(src), "the mark in the page").toBe(
        `data:image/svg+xml,${drawing.trim()}`,
      );
      continue;
    }
    const response = await request.get(src);
    expect(response.status(), src).toBe(200);
    if (!src.endsWith(".png") || !sizes) continue;
    expect(
      `${(await response.body()).readUInt32BE(16)}x${(await response.body()).readUInt32BE(20)}`,
    ).toBe(sizes);
  }
});
