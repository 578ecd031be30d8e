import { expect, test } from "vitest";
import { sitemap, sitemapOfIssues, sitemapOfPages } from "./sitemap.server.ts";

const siteUrl = "https://chalkline.example";

function archiveOf(count: number) {
  const issues = Array.from({ length: count }, (_, index) => ({
    id: count - index,
    title: `Issue ${count - index}`,
    publish_date: "2026-11-16",
  }));
  const now = new Date("2026-11-21");
  const edits = new Map<number, string>();
  return { siteUrl, listPaths: ["/newsletter/all/2026"], issues, edits, now };
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

test("an issue is dated by its last change, where that came after its publication", () => {
  const listed = archiveOf(3);
  listed.edits.set(3, "2026-11-18T15:00:00.000Z").set(2, "2026-11-10T15:00:00.000Z");
  const dates = [...(sitemapOfIssues(listed, 1) ?? "").matchAll(/<lastmod>([^<]*)</g)];
  expect(dates.map(([, date]) => date)).toEqual([
    "2026-11-18T10:00:00-05:00",
    "2026-11-16T00:00:00-05:00",
    "2026-11-16T00:00:00-05:00",
  ]);
});
