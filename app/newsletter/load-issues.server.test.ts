import { expect, test } from "vitest";
import type { Archive, IssueHead } from "#contracts/ports.ts";
import { loadArchive, loadIssue } from "./load-issues.server.ts";

const heads: IssueHead[] = [9, 7, 3].map((id, position) => ({
  id,
  number: 3 - position,
  title: `Issue ${id}`,
  publishDate: "2026-11-16",
}));

function accessTo(body: { html?: string; plainText?: string } = {}) {
  const asked: number[] = [];
  const archive = {
    heads: async () => heads,
    edits: async () => new Map(),
    async issue(id: number) {
      asked.push(id);
      const head = heads.find((each) => each.id === id);
      return head ? { html: "", plainText: "", ...body, ...head, older: null, newer: null } : null;
    },
  } as unknown as Archive;
  const access = {
    archive,
    reportError(error: unknown) {
      throw error;
    },
  };
  return { access, asked };
}

test.each(["abc", "-7", "07", "7.0", "", "99999999999999999999", "7\u0000", "7 or 1=1"])(
  "no issue is looked up for the id %j, and others are offered",
  async (id) => {
    const { access, asked } = accessTo();
    expect(await loadIssue(access, id)).toMatchObject({
      page: { state: "not-found", others: [{ id: 9 }, { id: 7 }, { id: 3 }] },
      status: 404,
    });
    expect(asked).toEqual([]);
  },
);

test("a long issue's description is its first words, cut between two of them", async () => {
  const plainText = "Sit beside whoever writes your quotes and time one. ".repeat(6);
  const { page } = await loadIssue(accessTo({ plainText }).access, "7");
  if (page.state !== "found") throw new Error("The issue is not found.");
  expect(page.description.length).toBeGreaterThan(140);
  expect(page.description.length).toBeLessThanOrEqual(160);
  expect(page.description).toMatch(/^Sit beside whoever .* \w+…$/);
});

test.each(["", "Short."])(
  "an issue that says only %j has a description all the same",
  async (plainText) => {
    const { page } = await loadIssue(accessTo({ plainText }).access, "7");
    if (page.state !== "found") throw new Error("The issue is not found.");
    expect(page.description.length).toBeGreaterThanOrEqual(70);
    expect(page.description.length).toBeLessThanOrEqual(160);
  },
);

test("every issue but the newest is a choice, whichever is shown", async () => {
  const choice = "7 Issue #2 - November 16, 2026\n3 Issue #1 - November 16, 2026";
  for (const [chosen, shown, isLatest] of [
    ["", 9, true],
    ["3", 3, false],
  ] as const) {
    const { page } = await loadArchive(accessTo().access, chosen);
    expect(page).toMatchObject({ state: "has-issues", shown: { id: shown }, isLatest, choice });
  }
});

test("an id that the archive doesn't have shows the latest, with status 404", async () => {
  const { page, status } = await loadArchive(accessTo().access, "8");
  expect(status).toBe(404);
  expect(page).toMatchObject({ shown: { id: 9 }, askedForUnknown: true });
});

test("the styles of a body come as data, and text that looks like them stays", async () => {
  const html = '<p style="color:red">style="x" &lt;p style="y"&gt;</p>';
  const { page } = await loadIssue(accessTo({ html }).access, "7");
  expect(page).toMatchObject({
    issue: { html: '<p data-style="color:red">style="x" &lt;p style="y"&gt;</p>' },
  });
});
