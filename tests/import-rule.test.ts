import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const projectRoot = path.join(import.meta.dirname, "..");

const forbidden = [
  ["content/home.ts", "#app/root.tsx"],
  ["content/home.ts", "#contracts/text.ts"],
  ["content/deep/leads.ts", "../../api/api.ts"],
  ["contracts/issue.ts", "#content/home.ts"],
  ["contracts/issue.ts", "../server/app.ts"],
  ["app/pages/home.tsx", "#api/api.ts"],
  ["app/pages/home.tsx", "../../api/api.ts"],
  ["app/root.tsx", "../server/settings.ts"],
  ["issue-body/prepare.ts", "#app/root.tsx"],
  ["issue-body/prepare.ts", "#api/api.ts"],
  ["api/rest.ts", "#app/root.tsx"],
  ["api/rest.ts", "../../app/root.tsx"],
  ["api/api.ts", "#server/settings.ts"],
  ["newsletter/subscribe.ts", "#api/api.ts"],
  ["mail/outbox.ts", "#server/settings.ts"],
  ["contact/submit.ts", "../app/root.tsx"],
  ["db/open.ts", "#server/settings.ts"],
  ["db/tables.ts", "#newsletter/sends/send-states.ts"],
  ["db/copy.ts", "../mail/outbox.ts"],
  ["db/migrations/first.ts", "#db/tables.ts"],
  ["db/migrations/first.ts", "../tables.ts"],
] as const;

const allowed = [
  ["content/home.ts", "./firm.ts"],
  ["content/home.ts", "#content/firm.ts"],
  ["contracts/issue.ts", "./text.ts"],
  ["app/pages/home.tsx", "#content/home.ts"],
  ["app/pages/home.tsx", "#contracts/issue.ts"],
  ["app/pages/home.tsx", "../backend-client.ts"],
  ["app/site.ts", "react-dom/server"],
  ["app/site.ts", "#issue-body/prepare-issue-body.ts"],
  ["newsletter/publish-issue.ts", "#issue-body/prepare-issue-body.ts"],
  ["api/rest.ts", "#newsletter/issues.ts"],
  ["api/rest.ts", "#content/starter-issues.ts"],
  ["api/rest.test.ts", "#tests/databases.ts"],
  ["db/migrations/first.ts", "kysely"],
  ["server/start.mjs", "#api/api.ts"],
  ["cli/site.ts", "#app/root.tsx"],
] as const;

/** Two that need each other, if only for a type, and one that needs nobody back. */
const circle = [
  ["app/circle/one.ts", "./two.ts"],
  ["app/circle/two.ts", "#app/circle/one.ts"],
  ["app/circle/three.ts", "./one.ts"],
] as const;

let folder = "";
let restrictedFiles: Set<string>;
let filesInCircles: Set<string>;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "import-rule-"));
  const config = JSON.parse(readFileSync(path.join(projectRoot, "biome.json"), "utf8"));
  config.vcs = { enabled: false };
  writeFileSync(path.join(folder, "biome.json"), JSON.stringify(config));
  [...forbidden, ...allowed].forEach(([file, source], index) => {
    const probe = path.join(folder, probePath(file, index));
    mkdirSync(path.dirname(probe), { recursive: true });
    writeFileSync(probe, `import { thing } from "${source}";\n\nexport const other = thing;\n`);
  });
  cpSync(path.join(projectRoot, "package.json"), path.join(folder, "package.json"));
  for (const [file, source] of circle) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    const words = `import type { Thing } from "${source}";\n\nexport type Other = Thing;\n`;
    writeFileSync(path.join(folder, file), words);
  }
  const biome = path.join(projectRoot, "node_modules/.bin/biome");
  const run = spawnSync(biome, ["lint", "--reporter=json", "--max-diagnostics=none", folder], {
    cwd: folder,
    encoding: "utf8",
  });
  const report = JSON.parse(run.stdout) as { diagnostics: Diagnostic[] };
  const filesThatBreak = (rule: string) =>
    new Set(
      report.diagnostics
        .filter((diagnostic) => diagnostic.category === rule)
        .map((diagnostic) => path.relative(folder, path.resolve(folder, diagnostic.location.path))),
    );
  restrictedFiles = filesThatBreak("lint/style/noRestrictedImports");
  filesInCircles = filesThatBreak("lint/suspicious/noImportCycles");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Diagnostic = { category: string; location: { path: string } };

// The index comes last in the base name, so that every probe has a file of its own and the folders stay as they are.
function probePath(file: string, index: number): string {
  return file.replace(/([^/.]+)((?:\.test)?\.tsx?)$/, `$1-${index}$2`);
}

describe("the import rule", () => {
  test.each(forbidden.map(([file, source], index) => ({ file, source, index })))(
    "refuses $source in $file",
    ({ file, index }) => {
      expect(restrictedFiles).toContain(probePath(file, index));
    },
  );

  test.each(
    allowed.map(([file, source], index) => ({ file, source, index: forbidden.length + index })),
  )("accepts $source in $file", ({ file, index }) => {
    expect(restrictedFiles).not.toContain(probePath(file, index));
  });

  test("refuses files that import each other, and no others", () => {
    expect([...filesInCircles].sort()).toEqual(["app/circle/one.ts", "app/circle/two.ts"]);
  });
});
