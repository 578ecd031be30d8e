import { expect, test } from "vitest";
import { privacy } from "./privacy.ts";
import { privacyWithAnalytics } from "./privacy-with-analytics.ts";

test.each([
  ["plausible", "Plausible Analytics", /sets no cookies/],
  ["umami", "Umami", /sets no cookies/],
  ["ga4", "Google Analytics", /sets cookies/],
] as const)("says of itself that %s counts", (kind, name, cookies) => {
  const words = JSON.stringify(privacyWithAnalytics(kind));
  expect(words).toContain(`a script of ${name} comes with every page`);
  expect(words).toContain(`Counting visits: ${name}`);
  expect(words).toMatch(cookies);
  expect(words).not.toMatch(/No cookies|no advertising or tracking/);
});

test("promises neither cookies nor tracking where nobody counts", () => {
  expect(JSON.stringify(privacy)).toMatch(/sets no cookies and has no advertising or tracking/);
});
