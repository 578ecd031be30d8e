import { sql } from "kysely";
import pino from "pino";
import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { createVisitCounter, dailyNamesMax, otherNames } from "./visits.ts";

const log = pino({ level: "silent" });

describeOnEachDatabase("daily sums of visits", (database) => {
  const counterAt = (time: string, db = database.db) =>
    createVisitCounter({ db, log, now: () => Date.parse(time) });
  const stored = () =>
    database.db.selectFrom("daily_visits").selectAll().orderBy("day").orderBy("name").execute();

  test("daily sums of visits add up over saves and over copies of the server, by Toronto's day", async () => {
    const other = await database.connect();
    const one = counterAt("2026-11-22T03:00:00Z");
    const two = counterAt("2026-11-22T06:00:00Z", other.db);
    for (const counter of [one, two, two]) counter.count("page", "/pricing");
    await Promise.all([one.save(), two.save()]);
    two.count("page", "/pricing");
    await two.stop();
    expect(await stored()).toEqual([
      { day: "2026-11-21", kind: "page", name: "/pricing", visits: 1 },
      { day: "2026-11-22", kind: "page", name: "/pricing", visits: 3 },
    ]);
  });

  test("daily sums of visits are bounded in number, whoever makes names up, and however often servers start", async () => {
    const visits = 3 * dailyNamesMax;
    for (let nth = 0; nth < visits; nth += 1) {
      const counter = counterAt("2026-11-22T12:00:00Z");
      counter.count("referrer", `host-${nth}.example`);
      if (nth % 100 === 0) await counter.save();
    }
    const counter = counterAt("2026-11-22T12:00:00Z");
    for (let nth = 0; nth < visits; nth += 1) counter.count("referrer", `other-${nth}.example`);
    await counter.save();
    const rows = await stored();
    expect(rows).toHaveLength(dailyNamesMax + 1);
    expect(rows.reduce((sum, row) => sum + row.visits, 0)).toBe(visits + visits / 100);
    expect(rows.find(({ name }) => name === otherNames)?.visits).toBeGreaterThan(visits / 2);
  });

  test("daily sums of visits wait while the database can't be written to, and are saved by the next try", async () => {
    const counter = counterAt("2026-11-22T12:00:00Z");
    await sql`alter table daily_visits rename to away`.execute(database.db);
    counter.count("campaign", "spring");
    await counter.save();
    await sql`alter table away rename to daily_visits`.execute(database.db);
    counter.count("campaign", "spring");
    await counter.save();
    expect(await stored()).toMatchObject([{ name: "spring", visits: 2 }]);
  });
});
