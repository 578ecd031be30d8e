import type { APIRequestContext } from "@playwright/test";
import routes from "#app/routes.ts";
import { issueOf, setIssues, threeIssues } from "./issue-table.ts";
import { type PageHead, readPageHead } from "./page-head.ts";
import { expect, test } from "./site-test.ts";

// A setting of its own means a server of its own: these tests replace its issues.
test.use({ siteSettings: { SITE_NAME: "Chalkline Survey Desk" } });

/** One of few words, and one whose description has to be cut. */
const long = {
  ...issueOf(14, "Sit beside the quotes", "2026-11-18"),
  html: `<p>${"Sit beside whoever writes your quotes and time one. ".repeat(6)}</p>`,
};
const issues = [...threeIssues, { ...issueOf(13, "Shortest", "2026-11-17"), html: "" }, long];

test.beforeEach(({ site }) => setIssues(site, issues));

function typesOf(path: string): string[] {
  if (path === "/" || path === "/about") return ["FAQPage"];
  if (path === "/pricing" || path === "/use-cases") return ["BreadcrumbList", "FAQPage", "Service"];
  if (useCase.test(path)) return ["BreadcrumbList", "Service"];
  if (path === "/sample-audit") return ["BreadcrumbList"];
  return issuePaths.includes(path) ? ["Article", "BreadcrumbList"] : [];
}

const firm = "Organization,ProfessionalService";
const useCase = /^\/use-cases\/./;
const notForSearchEngines = [
  "/use-cases/personal-assistants",
  "/newsletter/confirm",
  "/newsletter/unsubscribe",
  "/search",
];
const indexable = routes
  .map(({ path = "" }) => `/${path}`)
  .filter((path) => !/[:*.]/.test(path) && !notForSearchEngines.includes(path));
/** Shows the newsletter's picture, as issues do. */
const allIssues = "/newsletter/all";
const issuePaths = issues.map(({ id }) => `/newsletter/${id}`);

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

for (const path of [...indexable, ...issuePaths]) {
  test(`${path} has a head of its own`, async ({ request, site }) => {
    const head = await readPage(request, path);
    const description = only(head, "description");
    expect(head.title).toMatch(/^.{15,60} \| Chalkline Survey Desk$/);
    const title = head.title.replace(/ \| Chalkline Survey Desk$/, "");
    expect(description.length, description).toBeGreaterThanOrEqual(70);
    expect(description.length, description).toBeLessThanOrEqual(160);
    const address = path === "/" ? `${site.url}/` : site.url + path;
    expect(hrefOf(head, "canonical")).toEqual([address]);
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

    // The compiler checks each type's properties against schema-dts.
    const types = head.structuredData.map((data) => String(data["@type"]));
    expect(types.sort()).toEqual([...typesOf(path), firm, "WebSite"].sort());
    for (const data of head.structuredData) expect(data["@context"]).toBe("https://schema.org");
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

test("what is not for search engines says so, and has a picture", async ({ request }) => {
  for (const path of ["/use-cases/personal-assistants", "/search", "/search?q=invoice"]) {
    const head = await readPage(request, path);
    expect(only(head, "robots"), path).toBe("noindex");
    expect(hrefOf(head, "canonical"), path).toEqual([]);
    expect((await request.get(only(head, "og:image"))).status(), path).toBe(200);
  }
});

/** Beside the specification's screens; they share the site's picture. */
const withoutPicture = [allIssues, "/sample-audit"];

test("each page has a picture of its own, 1200 × 630 pixels", async ({ request, site }) => {
  const pictures = new Map<string, string>();
  const withPicture = indexable.filter((path) => !withoutPicture.includes(path));
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
