import path from "node:path";
import { expect, it } from "vitest";
import { openDatabase } from "#db/open-database.ts";
import { findIssue } from "#newsletter/issues/issues.ts";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";

const folder = folderForEachTest();

/** Publishes what comes from standard input, and returns the words that were published, or the mistakes. */
async function check(text: string, format: "html" | "markdown" = "markdown", ...more: string[]) {
  const env = { DATA_DIR: path.join(folder.path, "data") };
  const commandLine = ["issues", "publish", "-", "--format", format, "--json", ...more];
  const { stdout } = await runCommand(commandLine, { env, stdin: text });
  const { error, ...words } = JSON.parse(stdout);
  return error ? error.message : words;
}

const front = ["title: Piers", "date: 2026-03-02", "preheader: Beside"];

it.each([
  ["CR line ends", ["---", ...front, "---", "", "# Words"].join("\r")],
  [
    "quotes, a list and a nested value",
    `---\ntitle: "Piers"\ntags:\n  - title: x\nDate: '2026-03-02'\n---\n# Words`,
  ],
  ["capitals, below blank lines", "\n \r\n---\nTitle: Piers\nDATE: 2026-03-02\n---\n# Words"],
])("reads front matter with %s", async (_, text) => {
  expect(await check(text)).toMatchObject({ title: "Piers", publishDate: "2026-03-02" });
});

it("takes the title from the flag, the front matter, the title element, the first heading", async () => {
  const page = "<title>Element</title><h2>Heading</h2><p>Words</p>";
  const matter = "---\ntitle: 2026\nlayout: post\n---\n";
  expect(await check(matter + page, "html", "--title", "Flag")).toMatchObject({
    title: "Flag",
    unusedFrontMatter: ["layout"],
  });
  expect(await check("---\ntitle: Piers: two ways, #3\n---\nWords")).toMatchObject({
    title: "Piers: two ways, #3",
  });
  expect(await check(matter + page, "html", "--date", "2026-03-04")).toMatchObject({
    title: "2026",
    publishDate: "2026-03-04",
  });
  expect(await check(page, "html")).toMatchObject({ title: "Element" });
  expect(await check("<p>Words</p>\n<h3>A <em>heading</em>\n here</h3>", "html")).toMatchObject({
    title: "A heading here",
  });
});

it("stores HTML as it is, but a first heading that says the title again, which nothing precedes", async () => {
  const stored = async (text: string, format: "html" | "markdown" = "html") => {
    const { id } = await check(text, format, "--title", "Footings");
    const dataDir = path.join(folder.path, "data");
    const { db, close } = await openDatabase({ dataDir, databaseUrl: null });
    return (await findIssue(db, id).finally(close))?.html;
  };
  const page = "<html><head><title>T</title></head><body><p onclick='x()'>Words</p></body></html>";
  expect(await stored(page)).toBe(page);
  expect(await stored("# Footings\n\nWords\n\n# Footings\n", "markdown")).toBe(
    "<p>Words</p>\n<h1>Footings</h1>",
  );
  const hidden = '<div style="display: none">Preview</div>';
  expect(await stored(`${hidden}<h1>Footings</h1><p>Words</p>`)).toBe(`${hidden}<p>Words</p>`);
  for (const kept of [
    "<p>Before</p><h1>Footings</h1>",
    '<h1><img src="https://x.example/a.png">Footings</h1><p>W</p>',
  ]) {
    expect(await stored(kept)).toBe(kept);
  }
});

it.each([
  ['Date "2026-13-01" is not', "\n\n---\ntitle: T\ndate: 2026-13-01\n---\nWords"],
  ["The front matter opens with ---", "\n\n---\ntitle: T\n\nWords"],
  ["The body is empty", "---\ntitle: T\n---\n  \n"],
  ["It says draft: true. Take that out to publish it.", "---\ntitle: T\ndraft: true\n---\nWords"],
  ["empty body", "# Only the title\n"],
  ["longer than the limit of 2,000,000", `# Piers\n\n${"x".repeat(2_000_001)}`],
  ["nested deeper than the limit of 500 elements", `# Piers\n\n${"<div>".repeat(10_000)}`],
  ["2101-01-01, lies ahead", "---\ntitle: T\ndate: 2101-01-01\n---\nWords"],
])("refuses a file and says why: %s", async (message, text) => {
  expect(await check(text)).toContain(message);
});
