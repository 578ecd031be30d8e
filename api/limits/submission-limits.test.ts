import { expect, test } from "vitest";
import { privacy } from "#content/pages/privacy.ts";
import { retention } from "#content/retention.ts";
import { submissionLimits } from "./submission-limits.ts";

test("nobody is counted for longer than the privacy policy says", () => {
  const windows = Object.values(submissionLimits)
    .flatMap((limits) => Object.values(limits))
    .map((limit) => limit?.windowSeconds ?? 0);
  expect(Math.max(...windows)).toBe(retention.senderCountHours * 3_600);
  const words = JSON.stringify(privacy);
  expect(words).toContain(`our server counts for up to ${retention.senderCountHours} hours`);
});
