import { expect, test } from "vitest";
import { useCasePages } from "./site-pages.ts";
import type { UseCase } from "./use-case.ts";

test("a roadmap's projects take at most two weeks each, as the site says of most projects", () => {
  for (const { head, firstNinetyDays } of useCasePages as readonly UseCase[]) {
    for (const { task, fromDay, toDay } of firstNinetyDays?.bars ?? []) {
      expect(toDay - fromDay + 1, `${head.path}: ${task}`).toBeLessThanOrEqual(14);
      expect(toDay, head.path).toBeLessThanOrEqual(90);
    }
  }
});
