import { expect, test } from "vitest";
import { createHostedArchive } from "./hosted-archive.ts";

const project = { url: "https://project.example", anonKey: "sb_publishable_1" };

/** A project that answers as told, and a clock that stands still until it is moved. */
function archiveOver(answer: (headers: Headers) => Response | Promise<Response>) {
  const asked: Headers[] = [];
  let time = 0;
  const archive = createHostedArchive(project, {
    now: () => time,
    send: async (_input, init) => {
      const headers = new Headers(init?.headers);
      asked.push(headers);
      return answer(headers);
    },
  });
  const pass = (ms: number) => {
    time += ms;
  };
  return { archive, asked, pass };
}

function rows(titles: string[], total = titles.length, headers: Record<string, string> = {}) {
  const range = `0-${titles.length - 1}/${total}`;
  return Response.json(titles, { headers: { "Content-Range": range, ...headers } });
}

test("however many ask, the project is asked once a second, and not at all while nobody asks", async () => {
  const { archive, asked, pass } = archiveOver(() => rows(["One"]));
  await Promise.all(Array.from({ length: 50 }, () => archive.version()));
  pass(999);
  await archive.version();
  expect(asked).toHaveLength(1);
  pass(60_000);
  await archive.isReady();
  expect(asked).toHaveLength(2);
  expect(asked[0]?.get("apikey")).toBe("sb_publishable_1");
});

test("the word changes with a new title and with the number of issues, and stays otherwise", async () => {
  let answer = () => rows(["Two", "One"]);
  const { archive, pass } = archiveOver(() => answer());
  const words: string[] = [];
  for (const next of [answer, answer, () => rows(["Two", "Won"]), () => rows(["Two", "Won"], 9)]) {
    answer = next;
    words.push(await archive.version());
    pass(1_000);
  }
  expect(words[1]).toBe(words[0]);
  expect(new Set(words).size).toBe(3);
});

test("a project with tags is asked with the last, and 304 is the same word", async () => {
  let tag = 'W/"1"';
  const { archive, asked, pass } = archiveOver((headers) =>
    headers.get("If-None-Match") === tag
      ? new Response(null, { status: 304 })
      : rows(["One"], 1, { ETag: tag }),
  );
  const first = await archive.version();
  pass(1_000);
  expect(await archive.version()).toBe(first);
  expect(asked[1]?.get("If-None-Match")).toBe('W/"1"');
  tag = 'W/"2"';
  pass(1_000);
  expect(await archive.version()).not.toBe(first);
});

test.each([
  ["refuses", () => Response.json({ message: "no" }, { status: 401 })],
  ["doesn't answer", () => Promise.reject(new TypeError("fetch failed"))],
])("a project that %s is not ready, and its word is not known", async (_name, answer) => {
  const { archive, pass } = archiveOver(answer);
  await expect(archive.version()).rejects.toThrow();
  pass(1_000);
  expect(await archive.isReady()).toBe(false);
});
