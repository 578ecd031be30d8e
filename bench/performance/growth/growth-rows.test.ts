import { expect, test } from "vitest";
import { type GrowthRow, growthTable } from "./growth-rows.ts";

function verdictOf(row: Pick<GrowthRow, "values" | "bar">): string | undefined {
  const { rows } = growthTable({ title: "" }, [3, 100], [{ what: "", unit: "ms", ...row }]);
  return rows[0]?.at(-1);
}

test.each([
  [{ kind: "time" }, [20, 30], "met"],
  [{ kind: "time" }, [20, 31], "NOT met"],
  // The machine's own two milliseconds.
  [{ kind: "time" }, [1, 3], "met"],
  [{ kind: "rate" }, [900, 601], "met"],
  [{ kind: "rate" }, [900, 46], "NOT met"],
  [{ kind: "at most", value: 2_000 }, [1_900, 2_000], "met"],
  [{ kind: "at most", value: 2_000 }, [100, 2_001], "NOT met"],
  // Something that never came about.
  [{ kind: "at most", value: 2_000 }, [100, Number.NaN], "NOT met"],
  [{ kind: "none" }, [1, 1_000], ""],
] as [GrowthRow["bar"], number[], string][])(
  "a bar of %j and figures of %j: %s",
  (bar, values, verdict) => {
    expect(verdictOf({ bar, values })).toBe(verdict);
  },
);
