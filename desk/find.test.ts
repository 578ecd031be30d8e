import { expect, test } from "vitest";
import { createDraft } from "#newsletter/drafts.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { sendMessage } from "#tests/visitors.ts";
import type { Visitor } from "./desk-context.ts";
import { find } from "./find.ts";

const now = new Date("2026-11-20T15:00:00.000Z");

describeOnEachDatabase("what the palette finds", (database) => {
  const as = async (role: Visitor["role"], asked: string) => {
    const store = { db: database.db };
    const visitor = { id: 1, name: "Ann", role, session: null };
    const found = await find({ store, visitor }, asked);
    return Object.fromEntries(found.map(({ group, hits }) => [group, hits]));
  };

  test("is of every kind, the newest first, and five of each at most", async () => {
    const { db } = database;
    for (let week = 1; week <= 7; week += 1) {
      await createDraft(db, { title: `Étages, week ${week}`, body: "", now });
    }
    await sendMessage(db, { firstName: "Ann", lastName: "Etage", message: "A roof." }, { at: now });
    const { Issues, Messages } = await as("owner", "etage");
    expect(Issues?.map(({ title }) => title)).toEqual(
      [7, 6, 5, 4, 3].map((week) => `Étages, week ${week}`),
    );
    expect(Messages).toEqual([{ to: "/messages/1", title: "Ann Etage", about: "A roof." }]);
    expect((await as("owner", "tape measure"))["The site's words"]).toMatchObject([
      { to: "/words/about?word=%2Fabout%23we-automate-the-office-work-of-trade-real" },
    ]);
    expect(await as("owner", "nowhere at all")).toEqual({});
  });

  test("leaves out for a writer what only an owner opens", async () => {
    expect(await as("owner", "mail")).toHaveProperty("Settings");
    expect(await as("writer", "mail")).not.toHaveProperty("Settings");
    const pages = async (role: Visitor["role"]) =>
      (await as(role, "")).Pages?.map(({ to }) => to) ?? [];
    expect(await pages("owner")).toEqual(expect.arrayContaining(["/settings", "/backups"]));
    expect(await pages("writer")).not.toContain("/settings");
    expect(await pages("writer")).not.toContain("/backups");
    expect(await pages("writer")).toContain("/messages");
  });
});
