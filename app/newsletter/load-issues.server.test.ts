import { expect, test } from "vitest";
import type { Archive, IssueHead } from "#contracts/ports.ts";
import { loadIssue } from "./load-issues.server.ts";

const heads: IssueHead[] = [9, 7, 3].map((id, position) => ({
  id,
  number: 3 - position,
  title: `Issue ${id}`,
  publishDate: "2026-11-16",
}));

function accessTo(body: { html?: string; plainText?: string }) {
  const archive = {
    heads: async () => heads,
    edits: async () => new Map(),
    async issue(id: number) {
      const head = heads.find((each) => each.id === id);
      return head ? { html: "", plainText: "", ...body, ...head, older: null, newer: null } : null;
    },
  } as unknown as Archive;
  return {
    archive,
    reportError(error: unknown) {
      throw error;
    },
  };
}

test("a long issue's description is its first words, cut between two of them", async () => {
  const plainText = "Sit beside whoever writes your quotes and time one. ".repeat(6);
  const { data: page } = await loadIssue(accessTo({ plainText }), "7");
  if (page.state !== "found") throw new Error("The issue is not found.");
  expect(page.description.length).toBeGreaterThan(140);
  expect(page.description.length).toBeLessThanOrEqual(160);
  expect(page.description).toMatch(/^Sit beside whoever .* \w+…$/);
});

test.each(["", "Short."])(
  "an issue that says only %j has a description all the same",
  async (plainText) => {
    const { data: page } = await loadIssue(accessTo({ plainText }), "7");
    if (page.state !== "found") throw new Error("The issue is not found.");
    expect(page.description.length).toBeGreaterThanOrEqual(70);
    expect(page.description.length).toBeLessThanOrEqual(160);
  },
);
