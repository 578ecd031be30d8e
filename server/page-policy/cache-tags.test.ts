import { expect, test } from "vitest";
import { tagsOf } from "./cache-tags.ts";
import { resolveAddress } from "./resolve-address.ts";

test.each([
  ["/pricing", "firm"],
  ["/no-such-page", "firm"],
  ["/newsletter", "firm,firm-issues"],
  ["/feed.xml", "firm,firm-issues"],
  ["/newsletter/12", "firm,firm-issues,firm-issue-12"],
  ["/newsletter?issue=12", "firm,firm-issues,firm-issue-12"],
])("%s is tagged %s", (target, tags) => {
  const address = resolveAddress(target);
  if (address.kind !== "page") throw new TypeError(`${target} is no page`);
  expect(tagsOf(address, "firm")).toBe(tags);
});
