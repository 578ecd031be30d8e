import type { APIRequestContext } from "@playwright/test";
import routes from "#app/routes.ts";
import { issueOf, setIssues, threeIssues } from "./issue-table.ts";
import { type PageHead, readPageHead } from "./page-head.ts";
import { expect, test } from "./site-test.ts";

// A setting of its own means a server of its own: these tests replace its issues.
test.use({ siteSettings: { SITE_NAME: "Chalkline Newsletter Desk" } });

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

test("each page has a head of its own", async ({ request, site }) => {
  const titles = new Set<string>();
  const descriptions = new Set<string>();
  const paths = [...indexable, ...issuePaths];
  for (const path of paths) {
    const head = await readPage(request, path);
    const description = only(head, "description");
    titles.add(head.title);
    descriptions.add(description);
    expect(head.title, path).toMatch(/^.{15,60} \| Chalkline Newsletter Desk$/);
    const title = head.title.replace(/ \| Chalkline Newsletter Desk$/, "");
    expect(description.length, description).toBeGreaterThanOrEqual(70);
    expect(description.length, description).toBeLessThanOrEqual(160);
    const address = path === "/" ? `${site.url}/` : site.url + path;
    expect(hrefOf(head, "canonical"), path).toEqual([address]);
    expect(head.metas.get("robots"), path).toBeUndefined();
    expect(head.metas.has("keywords"), path).toBe(useCase.test(path));

    expect(only(head, "og:type"), path).toBe(issuePaths.includes(path) ? "article" : "website");
    expect(only(head, "og:site_name"), path).toBe("Chalkline Newsletter Desk");
    expect(only(head, "og:url"), path).toBe(address);
    expect(only(head, "twitter:card"), path).toBe("summary_large_image");
    expect(only(head, "og:title"), path).toBe(title);
    expect(only(head, "og:description"), path).toBe(description);

    // The compiler checks each type's properties against schema-dts.
    const types = head.structuredData.map((data) => String(data["@type"]));
    expect(types.sort(), path).toEqual([...typesOf(path), firm, "WebSite"].sort());
    for (const data of head.structuredData)
      expect(data["@context"], path).toBe("https://schema.org");
    expect(danglingReferences(head.structuredData), path).toEqual([]);
    expect(hrefOf(head, "alternate"), path).toEqual(["/feed.xml"]);
  }
  expect([titles.size, descriptions.size]).toEqual([paths.length, paths.length]);
});

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

test("what is not for search engines says so, and has a picture", async ({ request }) => {
  for (const path of ["/use-cases/personal-assistants", "/search", "/search?q=invoice"]) {
    const head = await readPage(request, path);
    expect(only(head, "robots"), path).toBe("noindex");
    expect(hrefOf(head, "canonical"), path).toEqual([]);
    expect((await request.get(only(head, "og:image"))).status(), path).toBe(200);
  }
});

/** Beside the specification's screens; they share the site's picture. */
const withoutPicture = ["/newsletter/all", "/sample-audit"];

test("each page has a picture of its own, 1200 × 630 pixels", async ({ request, site }) => {
  const pictures = new Map<string, string>();
  const withPicture = indexable.filter((path) => !withoutPicture.includes(path));
  for (const path of withPicture) {
    const head = await readPage(request, path);
    const image = only(head, "og:image");
    expect(only(head, "og:image:alt")).toBe(
      `“${only(head, "og:title")}” above a chalk line on squared paper`,
    );
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
