import { expect, test } from "vitest";
import { pageKey } from "./page-key.ts";

test("leaves tracking parameters out of the key", () => {
  expect(pageKey("/pricing?utm_source=mail&fbclid=x")?.key).toBe("/pricing");
});

test("keeps the issue that the archive is asked for, and only as a plain number", () => {
  expect(pageKey("/newsletter?issue=12&utm_source=mail")?.key).toBe("/newsletter?issue=12");
  expect(pageKey("/newsletter?issue=latest")).toBeNull();
  expect(pageKey("/newsletter?issue=-1")).toBeNull();
  expect(pageKey("/newsletter?issue=99999999999999999999")).toBeNull();
});

test("looks at pages with issues anew after a second, and at the others after minutes", () => {
  for (const path of ["/newsletter", "/newsletter/12", "/newsletter.data", "/feed.xml"]) {
    expect(pageKey(path)?.keptMs, path).toBe(1_000);
  }
  expect(pageKey("/about")?.keptMs).toBe(600_000);
});

test("never keeps what depends on a token or a search, nor the backend's answers", () => {
  for (const target of [
    "/newsletter/confirm?token=abc",
    "/newsletter/unsubscribe?token=abc",
    "/search?q=leads",
    "/search",
    "/rest/v1/final_newsletters",
    "/functions/v1/newsletter-signup",
    "/healthz",
    "/readyz",
    "/assets/root.js",
  ]) {
    expect(pageKey(target), target).toBeNull();
  }
});

test("makes no second copy of a page under another spelling of its address", () => {
  expect(pageKey("/%70ricing")).toBeNull();
  expect(pageKey("//pricing")).toBeNull();
  expect(pageKey(`/${"a".repeat(300)}`)).toBeNull();
});
