import { expect, test } from "vitest";
import { prepareIssueBody } from "./prepare-issue-body.ts";
import { type BodyStore, createPreparedBodies, type ShownBody } from "./prepared-bodies.ts";

function setUp(options: { isWhole?: boolean; store?: BodyStore | null } = {}) {
  const prepared: string[] = [];
  const errors: unknown[] = [];
  const saved = new Map<string, ShownBody>();
  const store: BodyStore = {
    find: async (id, key) => saved.get(`${id} ${key}`) ?? null,
    save: async ({ id }, key, body) => void saved.set(`${id} ${key}`, body),
  };
  const parts = {
    preparer: {
      async prepare(content: string) {
        prepared.push(content);
        return { body: prepareIssueBody(content), isWhole: options.isWhole ?? true };
      },
    },
    store: options.store === undefined ? store : options.store,
    reportError: (error: unknown) => errors.push(error),
  };
  return { parts, prepared, saved, errors };
}

const issue = (id: number, content_markdown: string) => ({ id, title: "Title", content_markdown });

test("a body is prepared once in its life, by whoever comes first", async () => {
  const { parts, prepared, saved } = setUp();
  const bodyOf = createPreparedBodies(parts);
  await Promise.all([bodyOf(issue(1, "<p>One</p>")), bodyOf(issue(1, "<p>One</p>"))]);
  await bodyOf(issue(1, "<p>One</p>"));
  const afterRestart = createPreparedBodies(parts);
  expect((await afterRestart(issue(1, "<p>One</p>"))).html).toBe("<p>One</p>");
  expect(prepared).toHaveLength(1);
  expect(saved.size).toBe(1);
});

test("one that nobody has asked for is stored and takes no room in memory", async () => {
  const { parts, prepared, saved } = setUp();
  const bodyOf = createPreparedBodies(parts);
  await bodyOf(issue(1, "<p>One</p>"), { isKept: false });
  expect(saved.size).toBe(1);
  saved.clear();
  await bodyOf(issue(1, "<p>One</p>"));
  expect(prepared).toHaveLength(2);
});

test("a body that was changed is prepared anew", async () => {
  const { parts, prepared } = setUp();
  const bodyOf = createPreparedBodies(parts);
  await bodyOf(issue(1, "<p>One</p>"));
  expect((await bodyOf(issue(1, "<p>Two</p>"))).html).toBe("<p>Two</p>");
  expect(prepared).toEqual(["<p>One</p>", "<p>Two</p>"]);
});

test("what could not be prepared whole is not stored", async () => {
  const { parts, saved } = setUp({ isWhole: false });
  await createPreparedBodies(parts)(issue(1, "<p>One</p>"));
  expect(saved.size).toBe(0);
});

test("without a store, as with a hosted project, memory is all there is, and it is bounded", async () => {
  const { parts, prepared } = setUp({ store: null });
  const bodyOf = createPreparedBodies(parts);
  const long = (id: number) => issue(id, `<p>${"word ".repeat(60_000)}${id}</p>`);
  for (let id = 1; id <= 10; id += 1) await bodyOf(long(id));
  await bodyOf(long(10));
  expect(prepared).toHaveLength(10);
  await bodyOf(long(1));
  expect(prepared).toHaveLength(11);
});

test("a body that can't be stored now is shown all the same", async () => {
  const { parts, errors } = setUp({
    store: { find: async () => null, save: () => Promise.reject(new Error("read-only")) },
  });
  expect((await createPreparedBodies(parts)(issue(1, "<p>One</p>"))).html).toBe("<p>One</p>");
  expect(errors).toHaveLength(1);
});
