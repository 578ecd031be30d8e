import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { resolveAddress } from "../page-policy/resolve-address.ts";
import { createVisitNotes } from "./count-visits.ts";

const browser = {
  "user-agent":
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  "sec-fetch-dest": "document",
  "sec-fetch-mode": "navigate",
  "sec-fetch-site": "none",
};
const page = { ...browser, "sec-fetch-dest": "empty", "sec-fetch-mode": "no-cors" };
const ownPage = { ...page, "sec-fetch-site": "same-origin" };

function startCounting() {
  const counted: string[] = [];
  const notes = createVisitNotes({
    visits: {
      count: (kind, name) => counted.push(`${kind} ${name}`),
      countEvent: (event) => counted.push(event),
    },
    host: "www.chalkline.example",
    hasIssue: async (id) => id === 12,
  });
  const addressOf = (url: string) => {
    const address = resolveAddress(url);
    if (address.kind !== "page") throw new Error(`${url} is no page`);
    return address;
  };
  return {
    counted,
    ...notes,
    open(url: string, headers: object = {}, { status = 200, method = "GET" } = {}) {
      const request = { url, method, headers: { ...browser, ...headers } } as IncomingMessage;
      notes.countVisit(request, addressOf(url), status);
      return counted.splice(0);
    },
    async say(url: string, headers = ownPage) {
      notes.countPage(headers, addressOf(url));
      await Promise.resolve();
      await Promise.resolve();
      return counted.splice(0);
    },
  };
}

test("a page that somebody opens is counted under its route, an issue under its id", () => {
  const { open } = startCounting();
  expect(open("/pricing?x=y")).toEqual(["page /pricing", "referrer (none)"]);
  expect(open("/newsletter/12")).toEqual(["issue 12", "referrer (none)"]);
  expect(open("/newsletter?issue=12")).toEqual(["issue 12", "referrer (none)"]);
  expect(open("/newsletter/all/2026")).toEqual(["page /newsletter/all/:year", "referrer (none)"]);
  expect(open("/search?q=dana@example.com")).toEqual(["page /search", "referrer (none)"]);
});

test("a visit from outside is counted by where it comes from, one from another page is not", () => {
  const { open } = startCounting();
  const from = (referer: string) => open("/", { "sec-fetch-site": "cross-site", referer })[1];
  expect(from("https://www.google.com/search?q=secret")).toBe("referrer google.com");
  expect(from("https://News.Ycombinator.com:8443/item?id=1")).toBe("referrer news.ycombinator.com");
  for (const odd of [
    ...["https://192.168.1.20/x", "https://[2001:db8::1]/", "https://intranet/wiki", "nonsense"],
    ...["https://www.chalkline.example/", `https://${"a".repeat(70)}.example/`],
    ...["android-app://com.slack/", "javascript:alert(1)"],
  ]) {
    expect(from(odd), odd).toMatch(/^referrer (?:\(none\)|com\.slack)$/);
  }
  expect(open("/", { "sec-fetch-site": "same-origin" })).toEqual(["page /"]);
});

test("a campaign is what the link says, where that is a name", () => {
  const { open } = startCounting();
  const of = (query: string) => open(`/?${query}`)[2];
  expect(of("utm_source=mail&utm_campaign=Spring%20Sale")).toBe("campaign spring sale");
  expect(of("utm_source=linkedin")).toBe("campaign linkedin");
  for (const odd of [
    "utm_campaign=a%40b.ca",
    `utm_campaign=${"x".repeat(61)}`,
    "utm_campaign=%3Cb",
    "utm_x=1",
  ]) {
    expect(of(odd), odd).toBeUndefined();
  }
});

test.each([
  ["asked not to be tracked", { dnt: "1" }],
  ["sent Global Privacy Control", { "sec-gpc": "1" }],
  ["only fetches ahead", { "sec-purpose": "prefetch;prerender" }],
  ["is a program by its own words", { "user-agent": `${browser["user-agent"]} Googlebot/2.1` }],
  ["is a browser without a window", { "user-agent": "Mozilla/5.0 HeadlessChrome/141.0.0.0" }],
  ["doesn't say what the request is for", { "sec-fetch-dest": undefined }],
  ["has no name", { "user-agent": undefined }],
  ["shows it as a picture or frame", { "sec-fetch-dest": "iframe" }],
])("nobody is counted who %s", (_, headers) => {
  expect(startCounting().open("/pricing", headers)).toEqual([]);
});

test("nothing but a page that is there is counted", () => {
  const { open } = startCounting();
  expect(open("/no-such-page", {}, { status: 404 })).toEqual([]);
  expect(open("/pricing", {}, { method: "HEAD" })).toEqual([]);
  expect(open("/contact", {}, { method: "POST" })).toEqual([]);
  expect(open("/newsletter.data")).toEqual([]);
  expect(open("/feed.xml")).toEqual([]);
});

test("what a page says of itself is counted where there is such a page", async () => {
  const { say, countBooking, counted } = startCounting();
  expect(await say("/pricing")).toEqual(["page /pricing"]);
  expect(await say("/newsletter/12")).toEqual(["issue 12"]);
  for (const none of ["/newsletter/13", "/nowhere", "/newsletter.data", "/feed.xml"]) {
    expect(await say(none), none).toEqual([]);
  }
  expect(await say("/pricing", page)).toEqual([]);
  expect(await say("/pricing", { ...ownPage, ...{ dnt: "1" } })).toEqual([]);
  countBooking(page);
  countBooking(ownPage);
  expect(counted).toEqual(["booking opened"]);
});
