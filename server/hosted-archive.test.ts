import { expect, test } from "vitest";
import { issueQuery, queryWords } from "#app/search/search-words.ts";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { createArchive } from "#newsletter/archive.ts";
import { archiveOfHostedProject } from "./hosted-archive.ts";

const project = { url: "https://project.example", anonKey: "sb_publishable_1" };

const prepareBody = async ({ content_markdown }: { content_markdown: string }) =>
  prepareIssueBody(content_markdown);

type Answer = (url: URL, headers: Headers) => Response | Promise<Response>;

/** A project that answers as told, and a clock that stands still until it is moved. */
function projectOver(answer: Answer) {
  const asked: { url: URL; headers: Headers }[] = [];
  let time = 0;
  const source = archiveOfHostedProject(project, {
    now: () => time,
    async send(input, init) {
      const url = new URL(String(input));
      const headers = new Headers(init?.headers);
      asked.push({ url, headers });
      return answer(url, headers);
    },
  });
  const pass = (ms: number) => {
    time += ms;
  };
  return { source, archive: createArchive(source, prepareBody), asked, pass };
}

function rows(titles: string[], total = titles.length, headers: Record<string, string> = {}) {
  const range = `0-${titles.length - 1}/${total}`;
  return Response.json(titles, { headers: { "Content-Range": range, ...headers } });
}

test("however many ask, the project is asked once a second, and not at all while nobody asks", async () => {
  const { source, asked, pass } = projectOver(() => rows(["One"]));
  await Promise.all(Array.from({ length: 50 }, () => source.version()));
  pass(999);
  await source.version();
  expect(asked).toHaveLength(1);
  pass(60_000);
  await source.version();
  expect(asked).toHaveLength(2);
  expect(asked[0]?.headers.get("apikey")).toBe("sb_publishable_1");
});

test("the version changes with a new title, with the number of issues and after five minutes", async () => {
  let answer = () => rows(["Two", "One"]);
  const { source, pass } = projectOver(() => answer());
  const versions: string[] = [];
  for (const next of [answer, answer, () => rows(["Two", "Won"]), () => rows(["Two", "Won"], 9)]) {
    answer = next;
    versions.push(await source.version());
    pass(1_000);
  }
  expect(versions[1]).toBe(versions[0]);
  expect(new Set(versions).size).toBe(3);
  pass(5 * 60_000);
  expect(versions).not.toContain(await source.version());
});

const stored = [
  { id: 3, title: "Price the change order", content_markdown: "<p>Ink.</p>" },
  { id: 2, title: null, content_markdown: "<p>Send the invoices on Friday &lt;b&gt;.</p>" },
  { id: "1", title: "Time one quote", content_markdown: null },
].map((row) => ({ ...row, publish_date: row.id === 2 ? null : "2026-11-16" }));

/** As PostgREST answers the reads of this program, a row at a time where a list is asked for. */
const postgrest: Answer = ({ searchParams }) => {
  const [, is, value] = /^(eq|lt)\.(\d+)$/.exec(searchParams.get("id") ?? "") ?? [];
  const words = [...(searchParams.get("or") ?? "").matchAll(/ilike\.\*(\w+)\*/g)];
  const found = stored.filter(({ id, content_markdown }) => {
    if (is === "eq") return Number(id) === Number(value);
    if (is === "lt") return Number(id) < Number(value);
    return words.every(([, word = ""]) => content_markdown?.toLowerCase().includes(word));
  });
  return Response.json(is === "lt" ? found.slice(0, 1) : found);
};

test("the archive reads on if the project returns fewer rows at a time than there are", async () => {
  const { archive } = projectOver(postgrest);
  expect(await archive.heads()).toEqual([
    { id: 3, number: 3, title: "Price the change order", publishDate: "2026-11-16" },
    { id: 2, number: 2, title: "Issue #2", publishDate: null },
    { id: 1, number: 1, title: "Time one quote", publishDate: "2026-11-16" },
  ]);
  expect(await archive.issue(1)).toMatchObject({ html: "", older: null, newer: { id: 2 } });
});

test("a search looks at titles and, by the project's own filter, at bodies", async () => {
  const { archive } = projectOver(postgrest);
  const search = async (text: string) => {
    const found = await archive.search(issueQuery(queryWords(text), "all"));
    return found.map(({ id }) => id);
  };
  expect(await search("invoice friday")).toEqual([2]);
  expect(await archive.plainTexts([2])).toEqual(new Map([[2, "Send the invoices on Friday <b>."]]));
  expect(await search("chang")).toEqual([3]);
});

test("a search looks at titles alone if the project doesn't know the filter", async () => {
  const { archive } = projectOver((url, headers) =>
    url.searchParams.has("or")
      ? Response.json({ code: "PGRST100", message: "Unknown" }, { status: 400 })
      : postgrest(url, headers),
  );
  const found = await archive.search(issueQuery(["invoice", "quote"], "any"));
  expect(found.map(({ id }) => id)).toEqual([1]);
});

const failures: [string, Answer][] = [
  ["a missing table", () => Response.json({ code: "PGRST205", message: "No" }, { status: 404 })],
  ["an empty 404", () => new Response("", { status: 404 })],
  ["a 404 with a list", () => Response.json([], { status: 404 })],
  ["a web page in place of rows", () => new Response("<!doctype html><p>Hello")],
  ["rows of another table", () => Response.json([{ id: "a", name: "b" }])],
  ["an outage", () => Promise.reject(new Error("connection refused"))],
];

test.each(failures)("%s is a failed read", async (_name, answer) => {
  await expect(projectOver(answer).archive.heads()).rejects.toThrow();
});
