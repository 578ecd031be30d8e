import { expect, test, vi } from "vitest";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { testSite } from "#tests/site-identity.ts";
import type { BodiesAccess } from "../archive/issues-client.server.ts";
import { loadIssue } from "./load-issue.server.ts";

function accessTo(rows: Record<string, unknown>[]) {
  const backendFetch = vi.fn(async (request: Request) => {
    const wanted = new URL(request.url).searchParams.get("id");
    return Response.json(rows.filter(({ id }) => wanted === null || wanted === `eq.${id}`));
  });
  const access: BodiesAccess = {
    settings: {
      ...testSite,
      profileUrl: "https://profile.example/chalkline",
      scheduling: { assetHost: "", url: "", contactUrl: "" },
      hostedBackend: null,
    },
    backendFetch,
    archiveVersion: null,
    preparedBodyOf: async ({ content_markdown }) => prepareIssueBody(content_markdown),
    reportError: (error) => {
      throw error;
    },
    origin: { clientAddress: null },
  };
  return { access, backendFetch };
}

function rowOf(change: Record<string, unknown> = {}) {
  return {
    id: 7,
    title: "Time one quote",
    content_markdown: "<p>Sit beside whoever writes your quotes.</p>",
    publish_date: "2026-11-16",
    ...change,
  };
}

test.each(["abc", "-7", "07", "7.0", "", "99999999999999999999", "7\u0000", "7 or 1=1"])(
  "no database is asked for the id %j, and others are offered",
  async (id) => {
    const { access, backendFetch } = accessTo([rowOf()]);
    expect(await loadIssue(access, id)).toMatchObject({
      page: { state: "not-found", others: [{ id: 7, title: "Time one quote" }] },
      status: 404,
    });
    const asked = backendFetch.mock.calls.map(([{ url }]) => new URL(url).searchParams);
    expect(asked.filter((query) => query.has("id"))).toEqual([]);
  },
);

test("what can't be an id is answered with no issue that has been removed since", async () => {
  const rows = [rowOf({ id: 8, title: "Taken back" }), rowOf()];
  const { access } = accessTo(rows);
  await loadIssue(access, "7");
  rows.shift();
  const { page } = await loadIssue(access, "0");
  expect(page).toMatchObject({ state: "not-found", others: [{ id: 7 }] });
});

test("a long issue's description is its first words, cut between two of them", async () => {
  const words = "Sit beside whoever writes your quotes and time one. ".repeat(6);
  const { access } = accessTo([rowOf({ content_markdown: `<p>${words}</p>` })]);
  const { page } = await loadIssue(access, "7");
  if (page.state !== "found") throw new Error("The issue is not found.");
  expect(page.description.length).toBeGreaterThan(140);
  expect(page.description.length).toBeLessThanOrEqual(160);
  expect(page.description).toMatch(/^Sit beside whoever .* \w+…$/);
});

test.each(["", "Short."])(
  "an issue that says only %j has a description all the same",
  async (body) => {
    const { access } = accessTo([rowOf({ content_markdown: body })]);
    const { page } = await loadIssue(access, "7");
    if (page.state !== "found") throw new Error("The issue is not found.");
    expect(page.description.length).toBeGreaterThanOrEqual(70);
    expect(page.description.length).toBeLessThanOrEqual(160);
  },
);

test("an issue without title, date or words is shown by its number", async () => {
  const nothing = { title: null, content_markdown: null, publish_date: null };
  const { access } = accessTo([rowOf(nothing)]);
  const { page, status } = await loadIssue(access, "7");
  expect(status).toBe(200);
  expect(page).toMatchObject({
    state: "found",
    issue: { number: 1, title: "Issue #1", date: null, html: "" },
    datePublished: null,
  });
});
