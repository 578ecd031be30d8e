import pino from "pino";
import { expect, test, vi } from "vitest";
import { migrateToLatest } from "#db/migrate.ts";
import { openDatabase } from "#db/open-database.ts";
import { startPostgresCluster } from "#tests/databases/postgres-cluster.ts";
import { createRestRoutes } from "./rest-routes.ts";

test("answers 503 while PostgreSQL is down, logs it, and the process goes on", async () => {
  const cluster = await startPostgresCluster();
  const onConnectionLost = vi.fn();
  const open = await openDatabase({ dataDir: "", databaseUrl: cluster.url }, onConnectionLost);
  const logged: { level: number }[] = [];
  const log = pino({}, { write: (line) => logged.push(JSON.parse(line)) });
  const routes = createRestRoutes({ db: open.db, log });
  const ask = () =>
    routes.request("/final_newsletters?select=*", { headers: { Prefer: "count=exact" } });
  try {
    await migrateToLatest(open);
    expect((await ask()).status).toBe(200);
  } finally {
    await cluster.stop();
  }
  await expect.poll(() => onConnectionLost).toHaveBeenCalled();
  for (let round = 1; round <= 3; round += 1) {
    const response = await ask();
    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("1");
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ code: "PGRST000" });
    expect(text).not.toContain("127.0.0.1");
    expect(logged.filter(({ level }) => level === pino.levels.values.error)).toHaveLength(round);
  }
  await open.close();
});
