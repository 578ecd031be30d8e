import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeOnEachDatabase, type TestDatabase } from "#tests/databases.ts";
import { runCommand } from "#tests/site-commands.ts";

const fixtures = path.join(import.meta.dirname, "fixtures");
const fixture = (name: string) => path.join(fixtures, name);

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "archives-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

describeOnEachDatabase("an archive from elsewhere", (database) => {
  const run = (...args: string[]) =>
    runCommand(["issues", ...args], { env: settingsOf(database, folder) });
  const issues = async () =>
    (
      await database.db
        .selectFrom("final_newsletters")
        .selectAll()
        .orderBy("id")
        .where("publish_date", "<", "2025-01-01")
        .execute()
    ).map(({ title, publish_date, content_markdown }) => [title, publish_date, content_markdown]);

  test.each(["substack.zip", "substack"])(
    "Substack's %s goes in, the oldest first and each once",
    async (name) => {
      const looked = await run("import", fixture(name), "--dry-run");
      expect(looked.stdout).toContain("Nothing was imported (--dry-run). 2 issues would be.");
      expect(await issues()).toEqual([]);
      for (const words of [
        "An archive of Substack",
        "2024-03-05  Quotes before lunch, not after supper  quotes-before-lunch  new",
        "half-written         draft",
        "members-only         for paying readers",
        "not a post",
        "posts.csv:8: post_date is not a date.",
      ]) {
        expect(looked.stderr).toContain(words);
      }
      expect((await run("import", fixture(name))).stderr).toContain("add --yes to go ahead");

      const imported = await run("import", fixture(name), "--yes", "--json");
      expect(imported.exitCode).toBe(1);
      const problems = [
        { file: expect.stringContaining("posts.csv"), line: 8 },
        { line: 7, message: "posts/105.no-body.html is missing." },
      ];
      expect(JSON.parse(imported.stdout)).toMatchObject({ imported: 2, omitted: 3, problems });
      const stored = await issues();
      expect(stored.map(([title, day]) => [title, day])).toEqual([
        // In Toronto it was still the day before.
        ["First words", "2024-02-26"],
        ["Quotes before lunch, not after supper", "2024-03-05"],
      ]);
      expect(stored[1]?.[2]).toContain('src="https://substackcdn.com/image/fetch/w_1456/x.png"');
      const again = await run("import", fixture(name), "--yes", "--json");
      expect(JSON.parse(again.stdout)).toMatchObject({ imported: 0, alreadyThere: 2 });
      const paid = await run("import", fixture(name), "--yes", "--with-paid", "--json");
      expect(JSON.parse(paid.stdout)).toMatchObject({ imported: 1, alreadyThere: 2 });
      expect(await issues()).toHaveLength(3);
    },
  );

  test("one that was packed in its folder is found there, and a removed issue may come again", async () => {
    const inner = path.join(folder, "unpacked", "export");
    await cp(fixture("substack"), inner, { recursive: true });
    const unpacked = path.dirname(inner);
    expect(JSON.parse((await run("import", unpacked, "--yes", "--json")).stdout)).toMatchObject({
      imported: 2,
    });
    const { id } = await database.db
      .selectFrom("final_newsletters")
      .select("id")
      .where("title", "=", "First words")
      .executeTakeFirstOrThrow();
    await run("remove", String(id), "--yes");
    expect(JSON.parse((await run("import", unpacked, "--yes", "--json")).stdout)).toMatchObject({
      imported: 1,
      alreadyThere: 1,
    });
  });

  test("Ghost's export goes in once it is said where its site stood", async () => {
    const unsaid = await run("import", fixture("ghost.json"), "--dry-run", "--json");
    expect(JSON.parse(unsaid.stdout)).toMatchObject({
      imported: 1,
      problems: [
        { line: 11, message: expect.stringContaining("--site https://…") },
        { line: 71, message: expect.stringContaining("has no html") },
      ],
    });
    const site = ["--site", "https://old.example.com"];
    const imported = await run("import", fixture("ghost.json"), ...site, "--yes", "--json");
    expect(JSON.parse(imported.stdout)).toMatchObject({ from: "Ghost", imported: 2, omitted: 3 });
    expect(await issues()).toEqual([
      ["Quotes", "2024-04-01", "<p>Older words.</p>"],
      [
        "Change orders, signed on site",
        "2024-05-01",
        '<figure><img src="https://old.example.com/content/images/2024/05/deck.jpg" alt="A deck &quot;half&quot; built"></figure>\n<p>Sign it before you cut. <a href="https://old.example.com/quotes/">More</a>.</p>',
      ],
    ]);
  });

  test("what is no archive is said, and nothing is written", async () => {
    const broken = path.join(folder, "broken.zip");
    await writeFile(broken, "PK\u0003\u0004 and no more");
    const result = await run("import", broken, "--yes");
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain("is not a zip file that can be read");
    expect((await run("import", folder, "--yes")).stderr).toContain("holds no posts.csv");
    expect(await issues()).toEqual([]);
  });
});

function settingsOf({ settings }: TestDatabase, dataFolder: string): Record<string, string> {
  return settings.databaseUrl === null
    ? { DATA_DIR: settings.dataDir }
    : { DATA_DIR: dataFolder, DATABASE_URL: settings.databaseUrl };
}
