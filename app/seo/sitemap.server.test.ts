import { expect, test } from "vitest";
import { sitemap } from "./sitemap.server.ts";

function archiveOf(count: number) {
  const issues = Array.from({ length: count }, (_, index) => ({
    id: count - index,
    number: count - index,
    title: `Issue ${count - index}`,
    publishDate: "2026-11-16",
  }));
  return {
    siteUrl: "https://chalkline.example",
    listPaths: ["/newsletter/all/2026"],
    issues,
    edits: new Map<number, string>(),
    now: new Date("2026-11-21"),
  };
}

const values = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)<`, "g"))].map(([, value = ""]) => value);

test("five thousand issues and the pages that list them are in one file", () => {
  const addresses = values(sitemap(archiveOf(5_000)), "loc");
  expect(addresses.filter((address) => /\/newsletter\/\d+$/.test(address))).toHaveLength(5_000);
  expect(addresses).toContain("https://chalkline.example/newsletter/all/2026");
  expect(addresses).toContain("https://chalkline.example/pricing");
});

test("an issue is dated by its last change, where that came after its publication", () => {
  const listed = archiveOf(3);
  listed.edits.set(3, "2026-11-18T15:00:00.000Z").set(2, "2026-11-10T15:00:00.000Z");
  expect(values(sitemap(listed), "lastmod")).toEqual([
    "2026-11-18T10:00:00-05:00",
    "2026-11-16T00:00:00-05:00",
    "2026-11-16T00:00:00-05:00",
  ]);
});
