import path from "node:path";
import { expect, it } from "vitest";
import { openDatabase } from "#db/open-database.ts";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { findIssue } from "#newsletter/issues/issues.ts";
import { mailerForEachTest } from "#tests/mailer-for-each-test.ts";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";

const folder = folderForEachTest();
const mailing = mailerForEachTest();

async function site(commandLine: string[], stdin = "") {
  const env = {
    DATA_DIR: path.join(folder.path, "data"),
    SMTP_URL: mailing.server.url,
    SITE_URL: "https://www.plumbline.ca",
  };
  return await runCommand(commandLine, { env, stdin });
}

async function publish(text: string, format: "html" | "markdown" = "html", ...more: string[]) {
  return await site(["issues", "publish", "-", "--format", format, ...more], text);
}

async function storedHtml(id: number): Promise<string> {
  const dataDir = path.join(folder.path, "data");
  const { db, close } = await openDatabase({ dataDir, databaseUrl: null });
  const issue = await findIssue(db, id).finally(close);
  return issue?.html ?? "";
}

async function read(text: string, format: "html" | "markdown" = "html") {
  const result = await publish(text, format, "--title", "Footings", "--json");
  const { id, notes, removed } = JSON.parse(result.stdout);
  const html = await storedHtml(id);
  await site(["issues", "send", id, "--test", "me@example.com"]);
  const mail = mailing.server.received.at(-1)?.email;
  const what = removed.map((item: { what: string }) => item.what);
  return {
    page: prepareIssueBody(html).html,
    mail: mail?.html ?? "",
    text: mail?.text ?? "",
    notes: notes.join("\n"),
    removed: what,
  };
}

it("keeps blanks in addresses, encoded, on the page and in the mail", async () => {
  const { page, mail, removed } = await read(
    `<p><a href="tel:+1 (905) 555-0177">Ring</a> <a href="mailto:crew@firm.example?subject=Site visit">Write</a>
    <img src="https://firm.example/plan é 4.png" alt="A plan"></p>`,
  );
  for (const html of [page, mail]) {
    expect(html).toContain('href="tel:+1%20(905)%20555-0177"');
    expect(html).toContain('href="mailto:crew@firm.example?subject=Site%20visit"');
    expect(html).toContain('src="https://firm.example/plan%20%C3%A9%204.png"');
  }
  expect(removed).toEqual([]);
});

it("leads to the site's own pages from the page and the mail, and says which addresses lead nowhere", async () => {
  const { page, mail, notes, removed } = await read(
    `<p>Words about footings. <a href="/use-cases?x=1#y">Ours</a> <a href="prices/list.html">List</a> <a href="firm.example/prices">Firm</a>
    <a href="#">Up</a> <a href="http://localhost:5173/draft">Draft</a> <img src="img/pier.jpg" alt="A pier"></p>`,
  );
  expect(page).toContain('<a href="/use-cases?x=1#y">');
  expect(mail).toContain('href="https://www.plumbline.ca/use-cases?x=1#y"');
  expect(mail).not.toMatch(/href="[^"]*(?:list\.html|firm\.example)|pier/);
  expect(removed).toEqual([
    "link with an incomplete address: prices/list.html",
    "link with an incomplete address: firm.example/prices",
    "image with an incomplete address: img/pier.jpg",
  ]);
  expect(notes).toContain("4 links that lead nowhere: no address, http://localhost:5173/draft");
});

it.each([
  [
    "by a class",
    `<style>.top{background-image:url(#)}</style><div class="top"><p style="color:#fff">Pour</p></div>`,
  ],
  [
    "in a cell",
    `<table><tr><td background="#"><p style="color:hsl(0 0% 99%)">Pour</p></td></tr></table>`,
  ],
])("gives white words another colour when their background is lost %s", async (_, body) => {
  const html = `<html><body>${body.replace("#", "https://firm.example/ground.jpg")}</body></html>`;
  const { mail, notes } = await read(html);
  expect(mail).not.toMatch(/[^-]color: ?(?:#f[cdef]|hsl|white)[^>]*>Pour/);
  expect(notes).toContain("1 passage in a colour that can't be read");
});

it("leaves words alone on the dark ground that they were written for, and writes a cell's where it is read", async () => {
  const cell = (colour: string) => `<td style="background:${colour}">A beam</td>`;
  const { mail, notes } = await read(
    `<html><body><div style="background:hsl(215 50% 15%)"><p style="color:#fff">On blue</p></div>
    <table><tr>${cell("rgb(40, 60, 20);color:#fff")}${cell("#abcdef")}</tr></table></body></html>`,
  );
  expect(mail).toMatch(/background-color: ?#132339[\s\S]*color: ?#fff[^>]*>On blue/);
  expect(mail).toMatch(/background(?:-color)?: ?rgb\(40, ?60, ?20\)|#283c14/);
  expect(mail).toContain('bgcolor="#abcdef"');
  expect(mail).not.toMatch(/bgcolor="[^"]*\(/);
  expect(notes).not.toContain("1 passage in a colour");
});

/** Returns the words that were published, or the mistakes. */
async function check(text: string, format: "html" | "markdown" = "markdown", ...more: string[]) {
  const { stdout } = await publish(text, format, "--json", ...more);
  const { error, ...words } = JSON.parse(stdout);
  return error ? error.message : words;
}

const front = ["title: Piers", "date: 2026-03-02", "preheader: Beside"];
const toml = `+++\ntitle = "Piers"\ndate = 2026-03-02\ntags = ["a"]\n[params]\nx = 1\n+++\n\n# Words\n`;

it.each([
  ["CR line ends", ["---", ...front, "---", "", "# Words"].join("\r")],
  ["fences with a blank before them", `\n ---\n${front.join("\n")}\n ---\n# Words\n`],
  ["improved dashes", `\u2014-\n${front.join("\n")}\n\u2014\n# Words\n`],
  ["no-break spaces", `---\n${front.join("\n").replaceAll(": ", ":\u00a0")}\n---\n# Words\n`],
  ["TOML", toml],
  ["capitals, below blank lines", "\n \r\n---\nTitle: Piers\nDATE: 2026-03-02\n---\n# Words"],
  ["a time with an offset", "---\ntitle: Piers\ndate: 2026-03-03T03:00:00Z\n---\nWords"],
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
  const titled = ["--title", "Footings"];
  const stored = async (text: string, format: "html" | "markdown" = "html") => {
    const { id } = JSON.parse((await publish(text, format, ...titled, "--json")).stdout);
    return await storedHtml(id);
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
  ["---\ntitle: T\ndate: [2026\n---\nWords", "standard input:"],
  ["\n\n---\ntitle: T\ndate: 2026-13-01\n---\nWords", ":5: date "],
  ["---\ntitle: T\ndate: 0026-11-27\n---\nWords", ':3: date "0026-11-27" is before 1990'],
  ["---\n- title\n---\nWords", ":2: the front matter must be lines such as"],
  ["---\ndate: 2026-01-02\ntitle: [a, b]\n---\nWords", ":3: title must be a text"],
  ["---\ntitle: A\ntitle: B\n---\nWords", ":3: front matter: Map keys must be unique"],
  ["\n\n---\ntitle: T\n\nWords", ":3: the front matter opens here"],
  ["---\ntitle: T\n---\n  \n", "the body is empty"],
  ["Words", "has no title"],
  [
    "---\ntitle: T\ndraft: true\n---\nWords",
    ":3: it says draft: true. Take that out to publish it.",
  ],
  [
    "---\ntitle: Piers: two ways\n---\nWords",
    ':2: front matter: a value with a colon needs quotation marks, as in title: "Piers: two ways".',
  ],
  [`---\ndate: 2026-01-02\ntitle: ${"x".repeat(201)}\n---\nWords`, ":3: the title has 201 char"],
  ['---\ntitle: "a\\u001b[31mb"\n---\nWords', ":2: the title holds control characters"],
  ["# Only the title\n", "empty body"],
])("refuses %j and names the place", async (text, message) => {
  expect(await check(text)).toContain(message);
});

it.each([
  ["longer than the limit of 2,000,000", "x".repeat(2_000_001), ""],
  ["nested deeper than the limit of 500 elements", "<div>".repeat(10_000), ""],
  ["2101-01-01, lies ahead", "Words", "2101-01-01"],
  ['date "0026-11-27" is before 1990', "Words", "0026-11-27"],
])("refuses what is %s", async (message, text, date) => {
  const dated = date ? ["--date", date] : [];
  expect(await check(`# Piers\n\n${text}`, "markdown", ...dated)).toContain(message);
});

it("lets a right-to-left paragraph or item of Markdown begin at its own side", async () => {
  const { page } = await read("שלום Bob\n\n- سعر\n- price\n\nPlain", "markdown");
  expect(page).toMatch(
    /<p dir="auto">שלום Bob<\/p>\s*<ul>\s*<li dir="auto">سعر<\/li>\s*<li>price<\/li>\s*<\/ul>\s*<p>Plain/,
  );
});

it("links bare addresses, and shows task lists and footnotes, in a page and a mail", async () => {
  const { page, text } = await read(
    "See https://firm.example/piers but not notes.md.[^1]\n\n- [ ] dig\n- [x] pour\n\n[^1]: Nor this.\n",
    "markdown",
  );
  expect(page).toContain('<a href="https://firm.example/piers"');
  expect(page).not.toContain('href="http://notes.md');
  expect(page).toMatch(/<li>☐ dig<\/li>\s*<li>☑ pour/);
  expect(page).toMatch(/href="#issue-fn1" id="issue-fnref1"[\s\S]*id="issue-fn1"[\s\S]*Nor this/);
  expect(text).toContain("Nor this.");
});
