import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { openDatabase } from "#db/open-database.ts";
import { addReadings, createMetrics } from "#server/metrics.ts";
import { newFolder } from "#tests/test-folder.ts";

type Rule = {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string };
};

const read = (file: string) => readFileSync(path.join(import.meta.dirname, file), "utf8");
const { groups } = parse(read("alerts.yaml")) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const expressions = rules.map(({ alert, expr }) => [alert, expr] as const);

test("the metrics endpoint has every metric that an alert names", async () => {
  const dataDir = newFolder();
  const open = await openDatabase({ dataDir, databaseUrl: null });
  const { registry } = createMetrics();
  addReadings(registry, {
    db: open.db,
    isBackendReady: async () => true,
    lastDeletionAt: () => null,
  });
  const text = await registry.metrics();
  await open.close();
  const given = new Set(text.match(/(?<=^# TYPE )\S+/gm));
  for (const [name, expression] of expressions) {
    const named = expression.match(/\b(?:chalkline|process|nodejs)_[a-z0-9_]+/g) ?? [];
    expect(
      named.length + Number(expression.includes("up{")),
      `${name}: ${expression}`,
    ).toBeGreaterThan(0);
    for (const metric of named) expect(given, `${name}: ${expression}`).toContain(metric);
  }
});
