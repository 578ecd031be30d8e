import type { APIRequestContext } from "@playwright/test";
import { attributesOf, elementsOf } from "../page-head.ts";
import { expect, test } from "../site-test.ts";

type Served = { status: number; links: Link[]; ids: Set<string> };
type Link = { href: string; target?: string; rel?: string };

/** Far more than the site has: a crawl that reaches it goes in circles. */
const pagesMax = 500;

test("every link leads to a page and a place, or is https", async ({ request, site }) => {
  const faults: string[] = [];
  const served = new Map<string, Served>();
  const toVisit = ["/"];
  const anchors: { from: string; to: string; id: string }[] = [];
  for (let path = toVisit.shift(); path; path = toVisit.shift()) {
    if (served.has(path)) continue;
    expect(served.size, "pages crawled").toBeLessThan(pagesMax);
    const page = await fetchPage(request, path);
    served.set(path, page);
    for (const { href, target, rel } of page.links) {
      if (/^(?:mailto|tel):./.test(href)) continue;
      const url = new URL(href, site.url + path);
      if (url.origin !== site.url) {
        if (url.protocol !== "https:") faults.push(`${path}: ${href} is not https`);
        if (target === "_blank" && !/noopener/.test(rel ?? ""))
          faults.push(`${path}: ${href}: rel`);
        continue;
      }
      const to = url.pathname + url.search;
      if (url.hash) anchors.push({ from: path, to, id: decodeURIComponent(url.hash.slice(1)) });
      toVisit.push(to);
    }
  }
  for (const [path, { status }] of served) {
    if (status !== 200) {
      const from = [...served].filter(([, { links }]) => links.some(({ href }) => href === path));
      faults.push(`${path} answers ${status}, linked from ${from.map(([page]) => page)}`);
    }
  }
  for (const { from, to, id } of anchors) {
    if (!served.get(to)?.ids.has(id)) faults.push(`${from}: nothing on ${to} is called #${id}`);
  }
  expect(faults).toEqual([]);
  expect(served.size, "pages reached from the home page").toBeGreaterThan(17);
});

async function fetchPage(request: APIRequestContext, path: string): Promise<Served> {
  const response = await request.get(path);
  const page: Served = { status: response.status(), links: [], ids: new Set() };
  if (!response.headers()["content-type"]?.startsWith("text/html")) return page;
  for (const element of elementsOf(await response.text())) {
    const { id, href, target, rel } = attributesOf(element);
    if (id) page.ids.add(id);
    if (element.tagName === "a" && href !== undefined) page.links.push({ href, target, rel });
  }
  return page;
}
