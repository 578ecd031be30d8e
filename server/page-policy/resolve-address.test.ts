import { describe, expect, test } from "vitest";
import routes from "#app/routes.ts";
import { sitePages } from "#content/site-pages.ts";
import { missingPage, pagePolicies } from "#contracts/page-policy.ts";
import { pageCaching } from "./page-caching.ts";
import { resolveAddress } from "./resolve-address.ts";

function keyOf(target: string) {
  const address = resolveAddress(target);
  return address.kind === "page" ? address.key : null;
}

describe("the policy table", () => {
  test("has a row for each of the router's, in its order", () => {
    const ofRouter = routes.map(({ path = "", file }) => ({
      path: path === "*" ? "*" : `/${path}`,
      routeId: file.replace(/\.tsx?$/, ""),
    }));
    const ofTable = [...pagePolicies, missingPage].map(({ path, routeId }) => ({ path, routeId }));
    expect(ofTable).toEqual(ofRouter);
  });

  test("has in the sitemap every page whose words may be found, and no other", () => {
    const listed = pagePolicies.filter(({ isInSitemap }) => isInSitemap).map(({ path }) => path);
    expect(listed).toEqual(sitePages.map(({ head }) => head.path));
  });
});

describe("a canonical address", () => {
  test.each(
    pagePolicies.map(({ path }) => path.replace(":issueId", "12").replace(":year", "2026")),
  )("leads to its page: %s", (path) => {
    expect(resolveAddress(path)).toMatchObject({ kind: "page", isData: false });
    expect(keyOf(path)?.key).toBe(path);
  });

  test("leads to the same page whatever else the query says", () => {
    expect(keyOf("/pricing?utm_source=mail&fbclid=x")).toEqual(keyOf("/pricing"));
    expect(keyOf("/newsletter/12?issue=3&q=x")).toEqual(keyOf("/newsletter/12"));
    expect(keyOf("/pricing.data?utm_source=mail&_routes=pages%2Fabout")).toEqual(
      keyOf("/pricing.data"),
    );
    expect(keyOf("/search?utm_source=mail")).toEqual(keyOf("/search"));
    expect(keyOf("/search?q=")).toEqual(keyOf("/search"));
  });

  test("leads to the issue that the archive is asked for; what can't be one is all the same", () => {
    expect(keyOf("/newsletter?issue=12&utm_source=mail")?.key).toBe("/newsletter?issue=12");
    expect(keyOf("/newsletter?%69ssue=12")?.key).toBe("/newsletter?issue=12");
    expect(keyOf("/newsletter?issue=")).toEqual(keyOf("/newsletter"));
    for (const odd of ["latest", "-1", "99999999999999999999", "0012", "1%002"]) {
      expect(keyOf(`/newsletter?issue=${odd}`), odd).toMatchObject({
        key: "/newsletter?issue=0",
        status: 404,
        varies: false,
      });
    }
  });

  test("leads to a page's data, alone or with the frame's, as the router asks for it", () => {
    expect(keyOf("/_.data")?.key).toBe("/_.data");
    expect(keyOf("/newsletter.data?issue=3&_routes=newsletter%2Farchive%2Fnewsletter")?.key).toBe(
      "/newsletter.data?issue=3&_routes=newsletter%2Farchive%2Fnewsletter",
    );
    expect(keyOf("/newsletter/3.data?_routes=newsletter/issue/newsletter-issue")?.key).toBe(
      "/newsletter/3.data?_routes=newsletter%2Fissue%2Fnewsletter-issue",
    );
    expect(resolveAddress("/newsletter/3.data")).toMatchObject({ kind: "page", isData: true });
  });

  test("is somebody's own with a token or a search, and never cached", () => {
    for (const target of [
      "/newsletter/confirm?token=abc",
      "/newsletter/unsubscribe?token=abc",
      "/newsletter/confirm.data?token=abc",
      "/search?q=leads",
      "/search?%71=leads",
    ]) {
      expect(resolveAddress(target), target).toMatchObject({ kind: "page", key: null });
    }
  });

  test("shows issues as long as they exist, and the one page of those that don't", () => {
    expect(keyOf("/newsletter/12")).toMatchObject({
      varies: true,
      whenMissing: { key: "/newsletter/0", status: 404, varies: false },
    });
    for (const odd of ["abc", "0", "007", "-1", "1.5", "%00", "%E0%A4%A", "a%2Fb", "1e3"]) {
      expect(keyOf(`/newsletter/${odd}`), odd).toMatchObject({ key: "/newsletter/0", status: 404 });
    }
  });

  test("is made anew after a second where issues are shown, after minutes elsewhere", () => {
    for (const path of ["/newsletter", "/newsletter/12", "/newsletter.data", "/feed.xml"]) {
      expect(keyOf(path)?.ttlMs, path).toBe(1_000);
    }
    expect(keyOf("/about")?.ttlMs).toBe(600_000);
    const caching = (target: string) => {
      const address = resolveAddress(target);
      return address.kind === "page" ? pageCaching(address) : null;
    };
    expect(caching("/newsletter?issue=3")).toContain("s-maxage=5,");
    expect(caching("/about")).toContain("s-maxage=60,");
    expect(caching("/search?q=x")).toBe("public, max-age=0, must-revalidate");
  });
});

/** Other ways to write an address that mean the same. */
function spellingsOf(path: string): string[] {
  const [, first = "", ...rest] = path.split("/");
  const below = rest.map((part) => `/${part}`).join("");
  const letter = first.at(0) ?? "";
  const hex = letter.charCodeAt(0).toString(16);
  return [
    `${path}/`,
    `${path}//`,
    `/${path}`,
    `//${path}`,
    `/.${path}`,
    `/..${path}`,
    `/x/..${path}`,
    `/%2e${path}`,
    `/%2E%2e${path}`,
    `/x/%2e%2E${path}`,
    `${path}/.`,
    `${path}/x/..`,
    `${path}/index.html`,
    `${path}/INDEX.HTML`,
    `\\${path.slice(1)}`.replace(/^/, "/"),
    ...(first === ""
      ? ["/index.html", "/Index.html", "/%69ndex.html", "/./index.html", "//index.html"]
      : [
          `/${first.toUpperCase()}${below}`,
          `/${letter.toUpperCase()}${first.slice(1)}${below}`,
          `/%${hex}${first.slice(1)}${below}`,
          `/%${hex.toUpperCase()}${first.slice(1)}${below}/`,
          `%2f${first}${below}`.replace(/^/, "/"),
        ]),
  ].filter((spelling) => spelling !== path);
}

describe("another spelling", () => {
  test.each(
    pagePolicies.map(({ path }) => path.replace(":issueId", "12").replace(":year", "2026")),
  )("of %s leads to it, with the query", (path) => {
    const spellings = spellingsOf(path);
    expect(spellings.length).toBeGreaterThanOrEqual(19);
    for (const spelling of spellings) {
      expect(resolveAddress(`${spelling}?a=b&c`), spelling).toEqual({
        kind: "misspelled",
        location: `${path}?a=b&c`,
      });
    }
  });

  test.each([
    ["/Pricing.data", "/pricing.data"],
    ["/pricing/_.data", "/pricing.data"],
    ["/pricing.DATA", "/pricing.data"],
    ["/newsletter//3.data?issue=1", "/newsletter/3.data?issue=1"],
    ["//_.data", "/_.data"],
  ])("of a page's data leads to it: %s", (spelling, location) => {
    expect(resolveAddress(spelling)).toEqual({ kind: "misspelled", location });
  });

  test.each([
    "//evil.example",
    "//evil.example/..",
    "/\\evil.example/%2e%2e",
    "///evil.example/%2f..",
    "/%2f%2fevil.example",
    "//evil.example/pricing",
    "/.//evil.example",
  ])("leads to no other site: %s", (target) => {
    const address = resolveAddress(target);
    if (address.kind === "misspelled") expect(address.location).toMatch(/^\/(?![/\\])/);
    else expect(keyOf(target)?.key).toBe("/no-such-page");
  });
});

describe("what is no page", () => {
  test.each(["/no-such-page", "/a/b", "/pricing/x", "/newsletter/3/x", "/.env", "/x.php?a=b"])(
    "is the one missing page: %s",
    (target) => {
      expect(keyOf(target)).toMatchObject({ key: "/no-such-page", status: 404, varies: false });
    },
  );

  test("has data for the router in the browser", () => {
    expect(keyOf("/x.data?_routes=pages%2Fnot-found")?.key).toBe(
      "/no-such-page.data?_routes=pages%2Fnot-found",
    );
  });

  test.each([
    "/rest/v1/final_newsletters",
    "/functions/v1/newsletter-signup",
    "/healthz",
    "/readyz",
    "/assets/root.js",
    "/%ff",
    "/%",
    "/a%00b",
    "http://other.example/pricing",
    "*",
    `/${"a".repeat(9_000)}`,
  ])("and nothing of the site's is left to others: %s", (target) => {
    expect(resolveAddress(target)).toEqual({ kind: "other" });
  });
});
