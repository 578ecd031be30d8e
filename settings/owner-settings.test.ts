import { beforeEach, expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { listOwnersSettings, readOwnersSettings, saveOwnersSettings } from "./owner-settings.ts";

const now = new Date("2026-11-28T12:00:00.000Z");

/** As `loadEnvironment` returns it: the telephone by the process, the rest by its file. */
const environment = {
  SITE_NAME: "Planks",
  SITE_PHONE: "+1 416 555 0100",
  SITE_COLOUR: "#164",
  SMTP_URL: "smtps://me:hunter2@mail.example.com:465",
  ".env": JSON.stringify({
    names: ["SITE_NAME", "SMTP_URL", "SITE_COLOUR"],
    mistakes: [],
  }),
};

describeOnEachDatabase("the owner's settings", (database) => {
  let version = "";
  beforeEach(() => {
    version = "";
  });

  const list = () => listOwnersSettings(database.db, environment);
  async function save(changes: Record<string, string>) {
    const change = { changes, basedOn: version, now };
    const saved = await saveOwnersSettings(database.db, environment, change);
    version = (await list()).version;
    return saved;
  }
  const read = () => readOwnersSettings(database.db, environment);
  const listed = async (name: string) => (await list()).settings.find((each) => each.name === name);

  test("come over the file's, and under the process's own", async () => {
    const changes = { SITE_NAME: " Boards ", SITE_PHONE: "+1 416 555 0199" };
    expect(await save({ ...changes, DATABASE_URL: "postgres://x/y" })).toEqual({ ok: true });
    const { config, unset } = await read();
    expect(config).toMatchObject({ siteName: "Boards", sitePhone: "+1 416 555 0100" });
    expect(config.databaseUrl).toBe(null);
    expect(unset.map(({ setting }) => setting)).not.toContain("SITE_NAME");
    expect(await listed("SITE_PHONE")).toMatchObject({ isFixed: true, value: "+1 416 555 0100" });
    expect(await listed("SITE_NAME")).toMatchObject({ isFixed: false, value: "Boards" });
    // A colour field knows six digits alone.
    expect(await listed("SITE_COLOUR")).toMatchObject({ value: "#116644" });

    // An empty one takes the file's away.
    expect(await save({ SITE_NAME: "" })).toEqual({ ok: true });
    expect((await read()).config.siteName).toBe("Chalkline");
  });

  test("all mistakes are named, nothing is saved, and a secret isn't shown", async () => {
    const refused = await save({
      SITE_NAME: "Boards",
      SITE_EMAIL: "nobody",
      SITE_LOGO: "data:image/png;base64,d29yZHM=",
      SMTP_URL: "imap://you:pass%40word@other.example",
    });
    expect(refused).toMatchObject({
      mistakes: [
        { name: "SITE_EMAIL", problem: "must be an email address" },
        { name: "SITE_LOGO", problem: "must be an SVG or PNG file of at most 200 KB" },
        { name: "SMTP_URL" },
      ],
    });
    expect(JSON.stringify([refused, await list()])).not.toMatch(/pass%40word|hunter2/);
    expect((await read()).config.siteName).toBe("Planks");
    // A file of the machine is never read for it.
    await save({ SITE_LOGO: "public/favicon.svg" });
    expect((await read()).config.siteLogo).toBe(null);
  });

  test("of two saves at once one is told of the other, also where nothing was set before", async () => {
    const { db: elsewhere } = await database.connect();
    for (const name of ["Boards", "Planks & Co"]) {
      const at = { changes: { SITE_NAME: name, SITE_STREET: name }, basedOn: version, now };
      const saves = await Promise.all(
        [database.db, elsewhere].map((db) => saveOwnersSettings(db, environment, at)),
      );
      expect(saves).toContainEqual({ ok: true });
      expect(saves).toContainEqual({ ok: false, mistakes: [] });
      version = (await list()).version;
    }
  });
});
