import { createHash } from "node:crypto";
import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { settlePosts } from "#operator/exports/import-posts.ts";
import { readArchiveFolder } from "#operator/exports/read-archive.ts";
import { commandSettings } from "#tests/command-settings.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";

const fixtures = path.join(import.meta.dirname, "../../operator/exports/fixtures");
const fixture = (name: string) => path.join(fixtures, name);

const folder = folderForEachTest();

describeOnEachDatabase("an archive from elsewhere", (database) => {
  const run = (...args: string[]) =>
    runCommand(["issues", ...args], { env: commandSettings(database, folder.path) });
  const idsOf = async (title: string) =>
    (
      await database.db
        .selectFrom("final_newsletters")
        .select("id")
        .where("title", "=", title)
        .execute()
    ).map(({ id }) => id);
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
        "An export of Substack",
        "2024-03-05  new                     quotes-before-lunch  Quotes before lunch, not after supper",
        "draft                   half-written",
        "for paying subscribers  members-only",
        "not a post",
        "posts.csv:8: post_date is not a date.",
      ]) {
        expect(looked.stderr).toContain(words);
      }
      expect((await run("import", fixture(name))).stderr).toContain("add --yes to go ahead");

      const imported = await run("import", fixture(name), "--yes", "--json");
      expect(imported.exitCode).toBe(1);
      const problems = [
        { line: 7, message: "posts/105.no-body.html is missing." },
        { file: expect.stringContaining("posts.csv"), line: 8 },
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
    const inner = path.join(folder.path, "unpacked", "export");
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
    const [quotes] = await idsOf("Quotes");
    expect(await issues()).toEqual([
      ["Quotes", "2024-04-01", "<p>Older words.</p>"],
      [
        "Change orders, signed on site",
        "2024-05-01",
        `<figure><img src="https://old.example.com/content/images/2024/05/deck.jpg" alt="A deck &quot;half&quot; built"></figure>\n<p>Sign it before you cut. <a href="/newsletter/${quotes}">More</a>.</p>`,
      ],
    ]);
  });

  /** Two posts that speak of one another, of the archive's own pages and of another publication. */
  async function linkedPosts() {
    const archive = path.join(folder.path, "linked");
    await cp(fixture("substack"), archive, { recursive: true });
    const write = (name: string, html: string) =>
      writeFile(path.join(archive, "posts", `${name}.html`), html);
    await write(
      "100.first-words",
      `<p>Soon: <a class="x" href="https://chalk.substack.com/p/quotes-before-lunch?utm_source=a#b">quotes</a>,
      <a href="https://chalk.substack.com/p/half-written">a draft</a>, <a href='https://chalk.substack.com/subscribe?a=1&amp;b=2'>join</a>,
      <a href="https://other.example/p/talks">others</a></p>`,
    );
    await write(
      "101.quotes-before-lunch",
      `<p><a href="https://127.0.0.1/full.png"><img src="https://127.0.0.1/a.png" alt=""></a>
      <img alt="" src=https://10.0.0.7/b.png> <img src="data:image/png;base64,AAAA" alt=""></p>`,
    );
    return archive;
  }

  test("links from one post to another lead to its issue here, and it says which lead back", async () => {
    const archive = await linkedPosts();
    const imported = await run("import", archive, "--yes", "--json");
    expect(JSON.parse(imported.stdout)).toMatchObject({
      links: 1,
      pictures: null,
      oldAddresses: [
        { address: "https://chalk.substack.com/p/half-written", title: "First words", line: 3 },
        { address: "https://chalk.substack.com/subscribe?a=1&b=2", title: "First words" },
      ],
    });
    const [quotes] = await idsOf("Quotes before lunch, not after supper");
    const [[, , body] = []] = await issues();
    expect(body).toContain(`<a class="x" href="/newsletter/${quotes}">quotes</a>`);
    expect(body).toContain("<a href='https://chalk.substack.com/subscribe?a=1&amp;b=2'>join</a>");
    // Two hosts have posts of these names, so the operator must say which host is the old one.
    const unsure = await linkedPosts();
    await writeFile(
      path.join(unsure, "posts", "100.first-words.html"),
      '<a href="https://a.example/p/first-words">1</a> <a href="https://www.b.example/p/first-words">2</a>',
    );
    await run("remove", String((await idsOf("First words"))[0]), "--yes");
    const unsaid = await run("import", unsure, "--yes");
    expect(unsaid.stdout).toContain("the posts don't show: --site says it.");
    const said = await run("import", unsure, "--yes", "--site", "https://b.example", "--json");
    expect(JSON.parse(said.stdout)).toMatchObject({ imported: 0, links: 1, oldAddresses: [] });
  });

  test("a post without a slug takes no link", async () => {
    const id = "102";
    const archive = path.join(folder.path, "slugless");
    await cp(fixture("substack"), archive, { recursive: true });
    const list = path.join(archive, "posts.csv");
    await writeFile(list, (await readFile(list, "utf8")).replaceAll("100.first-words", id));
    const body = `<p><a href="https://town.example/permits">Permits</a> <a href="#top">up</a>
      <a href="mailto:crew@firm.example">mail</a> <a href="https://chalk.substack.com/p/quotes-before-lunch">quotes</a></p>`;
    await writeFile(path.join(archive, "posts", `${id}.html`), body);
    const imported = await run("import", archive, "--yes", "--json");
    expect(JSON.parse(imported.stdout)).toMatchObject({ imported: 2, links: 1 });
    const [quotes] = await idsOf("Quotes before lunch, not after supper");
    const [first] = await issues();
    expect(first?.[2]).toBe(
      body.replace("https://chalk.substack.com/p/quotes-before-lunch", `/newsletter/${quotes}`),
    );
  });

  test("a post keeps the author's words and its pictures' addresses, and its title is one line", async () => {
    const file = path.join(folder.path, "ghost.json");
    const html =
      '<p>Pour early.</p><p>Thanks for reading! Subscribe for free.</p><img src="https://bucket.example/closed.png" alt="A pier">';
    const post = { id: "p", title: "Pour\nbefore the frost", slug: "pour", html };
    const posts = [{ ...post, status: "published", published_at: "2024-06-01T12:00:00.000Z" }];
    await writeFile(file, JSON.stringify({ db: [{ data: { posts } }] }));
    await run("import", file, "--site", "https://firm.example", "--yes", "--json");
    expect(await issues()).toEqual([["Pour before the frost", "2024-06-01", html]]);
  });

  test("pictures are kept here where that is asked for, and go with the last issue that shows them", async () => {
    const { db } = database;
    const archive = await linkedPosts();
    const refused = await run("import", archive, "--yes", "--fetch-pictures", "--json");
    const { problems } = JSON.parse(refused.stdout);
    expect(problems).toContainEqual({
      file: expect.stringContaining("posts.csv"),
      line: 2,
      message:
        '"Quotes before lunch, not after supper": the picture https://127.0.0.1/a.png is at an address that is not of the open network.',
    });

    const [quotes = 0] = await idsOf("Quotes before lunch, not after supper");
    const [first = 0] = await idsOf("First words");
    await db
      .updateTable("final_newsletters")
      .set({ content_markdown: '<img src="https://elsewhere.example/a.png">' })
      .where("id", "=", first)
      .execute();
    const bytes = Buffer.from("GIF89a and more", "latin1");
    const how = { site: null, withPaid: false };
    const read = await readArchiveFolder(archive, archive, how);
    if (!read.ok || read.of !== "posts") throw new Error("The archive can't be read.");
    const { exported } = read;
    const asked: string[] = [];
    const fetchPicture = async (address: string) => {
      asked.push(address);
      return { ok: true, picture: { bytes, type: "image/gif" } } as const;
    };
    const options = { site: null, fetchPicture, now: () => new Date() };
    const faults: unknown[] = [];
    const onProblem = (problem: unknown) => faults.push(problem);
    await settlePosts(db, exported, { ...options, onProblem });
    expect(faults).toEqual([]);
    const kept = `/pictures/${createHash("sha256").update(bytes).digest("base64url")}.gif`;
    expect(asked.toSorted()).toEqual([
      "https://10.0.0.7/b.png",
      "https://127.0.0.1/a.png",
      "https://elsewhere.example/a.png",
    ]);
    expect((await issues()).map(([, , body]) => body)).toEqual([
      `<img src="${kept}">`,
      `<p><a href="${kept}"><img src="${kept}" alt=""></a>
      <img alt="" src="${kept}"> <img src="data:image/png;base64,AAAA" alt=""></p>`,
    ]);
    expect(prepareIssueBody((await issues())[0]?.[2] ?? "").html).toContain(`src="${kept}"`);

    const pictures = () => db.selectFrom("pictures").select("hash").execute();
    await run("remove", String(first), "--yes");
    expect(await pictures()).toHaveLength(1);
    await run("remove", String(quotes), "--yes");
    expect(await pictures()).toEqual([]);
  });

  test("what is no archive is said, and nothing is written", async () => {
    const broken = path.join(folder.path, "broken.zip");
    await writeFile(broken, "PK\u0003\u0004 and no more");
    const result = await run("import", broken, "--yes");
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain("this zip file can't be read");
    expect((await run("import", folder.path, "--yes")).stderr).toContain("holds no posts.csv");
    expect(await issues()).toEqual([]);
  });
});
