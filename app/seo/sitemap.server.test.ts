import { expect, test } from "vitest";
import { sitemap, sitemapOfIssues, sitemapOfPages } from "./sitemap.server.ts";

const siteUrl = "https://chalkline.example";

function archiveOf(count: number) {
  const issues = Array.from({ length: count }, (_, index) => ({
    id: count - index,
    title: `Issue ${count - index}`,
    publish_date: "2026-11-16",
  }));
  return { siteUrl, listPaths: ["/newsletter/all/2026"], issues, now: new Date("2026-11-21") };
}

function addressesIn(xml: string): string[] {
  return [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = ""]) => address);
}

test("five hundred issues stand in the one file, with the pages", () => {
  const listed = archiveOf(500);
  const addresses = addressesIn(sitemap(listed));
  expect(sitemap(listed)).toContain("<urlset ");
  expect(addresses).toEqual(expect.arrayContaining(addressesIn(sitemapOfPages(listed))));
  expect(addresses.filter((address) => /\/newsletter\/\d+$/.test(address))).toHaveLength(500);
});

test("more are in files of an index: every page and every issue once, none of them large", () => {
  const listed = archiveOf(1_201);
  const index = sitemap(listed);
  expect(index).toContain("<sitemapindex ");
  expect(addressesIn(index)).toEqual([
    `${siteUrl}/sitemap-pages.xml`,
    ...[1, 2, 3].map((part) => `${siteUrl}/sitemap-issues.xml?part=${part}`),
  ]);
  expect(addressesIn(sitemapOfPages(listed))).toContain(`${siteUrl}/newsletter/all/2026`);
  const parts = [1, 2, 3].map((part) => addressesIn(sitemapOfIssues(listed, part) ?? ""));
  expect(parts.map(({ length }) => length)).toEqual([500, 500, 201]);
  expect(parts.flat().toSorted()).toEqual(
    listed.issues.map(({ id }) => `${siteUrl}/newsletter/${id}`).toSorted(),
  );
  expect(sitemapOfIssues(listed, 4)).toBeNull();
});

test("a new issue changes the last file alone", () => {
  const [before, after] = [archiveOf(1_201), archiveOf(1_202)];
  for (const part of [1, 2]) {
    expect(sitemapOfIssues(after, part)).toBe(sitemapOfIssues(before, part));
  }
  expect(addressesIn(sitemapOfIssues(after, 3) ?? "")).toContain(`${siteUrl}/newsletter/1202`);
});
