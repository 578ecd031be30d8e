import pino from "pino";
import { expect, test } from "vitest";
import { createRestRoutes } from "#api/rest/rest-routes.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { seed } from "../growth/seed.ts";
import { expensiveRestQueries, searchExpensiveRestQueries } from "./expensive-rest-queries.ts";

test("the dearest queries are the same each time, and differ from one another", () => {
  const { accepted, refused } = expensiveRestQueries();
  expect(expensiveRestQueries()).toEqual({ accepted, refused });
  expect(new Set([...accepted, ...refused]).size).toBe(40);
});

describeOnEachDatabase("queries by the grammar", (database) => {
  test("are answered with rows or refused with 400 or 416, below two megabytes, and never logged", async () => {
    await seed(database.open, { issues: 120 });
    const logged: string[] = [];
    const log = pino({}, { write: (line) => logged.push(line) });
    const routes = createRestRoutes({ db: database.db, log });
    const ask = async (query: string) => routes.request(`/final_newsletters?${query}`);
    const { accepted, refused } = expensiveRestQueries();
    for (const query of accepted) {
      // 400 where the rows that it finds are too long.
      expect([200, 400]).toContain((await ask(query)).status);
    }
    for (const query of refused) expect((await ask(query)).status).toBe(400);
    const found = await searchExpensiveRestQueries(ask, { runs: 300, count: 300 });
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set([200, 400]));
    expect(Math.max(...found.map(({ bytes }) => bytes))).toBeLessThan(2_000_000);
    expect(logged).toEqual([]);
  });
});
