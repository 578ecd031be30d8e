import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { openDatabase } from "#db/open-database.ts";
import { createCounts } from "#server/metrics/counts.ts";
import { createMetrics } from "#server/metrics/create-metrics.ts";
import { makeMemoryFolder } from "#tests/memory-folder.ts";

type Rule = {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string };
};
type Panel = { type: string; title: string; targets?: { expr: string }[] };

const read = (file: string) => readFileSync(path.join(import.meta.dirname, file), "utf8");
const { groups } = parse(read("alerts.yaml")) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read("grafana-dashboard.json")) as { panels: Panel[] };
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr]),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr])),
] as [string, string][];

test("every metric that they name is given at the metrics' address, with each label", async () => {
  const dataDir = await makeMemoryFolder("monitoring-");
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const open = await openDatabase({ dataDir, databaseUrl: null });
  const { text } = await createMetrics({ counts: createCounts(), db: open.db }).read();
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
  const documented = readFileSync(
    path.join(import.meta.dirname, "../../docs/operating.md"),
    "utf8",
  );
  const own = [...given].filter((metric) => metric.startsWith("chalkline_"));
  for (const metric of own) expect(documented).toContain(`\`${metric}\``);
});

test("every alert has its paragraph, and every paragraph its alert", () => {
  const documented = readFileSync(
    path.join(import.meta.dirname, "../../docs/operating.md"),
    "utf8",
  );
  const [, ...parts] = documented.split(/^#### (?=Chalkline)/m);
  const paragraphs = new Map(
    parts.map((part) => [part.split("\n")[0] ?? "", part.split("\n\n")[1] ?? ""]),
  );
  expect([...paragraphs.keys()]).toEqual(rules.map(({ alert }) => alert));
  for (const [alert, words] of paragraphs) expect(words.length, alert).toBeGreaterThan(100);
  for (const { alert, labels, annotations } of rules) {
    expect(["page", "ticket"], alert).toContain(labels.severity);
    expect(annotations.summary, alert).toMatch(/\.$/);
  }
});

test("memory is an alert before a copy is ended for it", () => {
  const { expr = "" } = rules.find(({ alert }) => alert === "ChalklineMemoryHigh") ?? {};
  const alertBytes = Number(/> (\S+)$/.exec(expr)?.[1]);
  const { services } = parse(read("../container/compose.yaml"), { merge: true });
  const [deployment] = parseAllDocuments(read("../kubernetes/chalkline.yaml"));
  const [container] = deployment?.toJS().spec.template.spec.containers ?? [];
  for (const limit of [services.site1.mem_limit, container.resources.limits.memory]) {
    expect(limit).toMatch(/^\d+(?:m|Mi)$/);
    expect(alertBytes).toBeLessThan(0.8 * Number.parseInt(limit, 10) * 1024 ** 2);
  }
});
