import { beforeEach, expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import {
  listOwnersSettings,
  readOwnersSettings,
  saveOwnersSettings,
  watchOwnersSettings,
} from "./owner-settings.ts";
import { siteSettings } from "./settings.ts";

const now = new Date("2026-11-28T12:00:00.000Z");

/** As `loadEnvironment` gives it: the telephone by the process, the rest by its file. */
const environment = {
  SITE_NAME: "Planks",
  SITE_PHONE: "+1 416 555 0100",
  SMTP_URL: "smtps://me:hunter2@mail.example.com:465",
  SCHEDULING_URL: "",
  ".env names": "SITE_NAME\nSMTP_URL",
};

describeOnEachDatabase("the owner's settings", (database) => {
  let version = "";
  beforeEach(() => {
    version = "";
  });

  async function save(changes: Record<string, string>, env: object = environment) {
    const saved = await saveOwnersSettings(
      database.db,
      { ...env },
      { changes, basedOn: version, now },
    );
    version = (await listOwnersSettings(database.db, environment)).version;
    return saved;
  }
  const read = async (env: object = environment) =>
    await readOwnersSettings(database.db, { ...env });
  const listed = async (name: string) =>
    (await listOwnersSettings(database.db, environment)).settings.find(
      (each) => each.name === name,
    );

  test("come over the file's, and under the process's own", async () => {
    expect(await save({ SITE_NAME: " Boards ", SITE_PHONE: "+1 416 555 0199" })).toEqual({
      ok: true,
    });
    const { config, unset } = await read();
    expect(config).toMatchObject({ siteName: "Boards", sitePhone: "+1 416 555 0100" });
    expect(unset.map(({ setting }) => setting)).not.toContain("SITE_NAME");
    expect(await listed("SITE_PHONE")).toMatchObject({ isFixed: true, value: "+1 416 555 0100" });
    expect(await listed("SITE_NAME")).toMatchObject({ isFixed: false, value: "Boards" });

    // An empty one takes the file's away.
    expect(await save({ SITE_NAME: "" })).toEqual({ ok: true });
    expect((await read()).config.siteName).toBe("Chalkline");
    // Nobody sets by the desk what belongs to the machine.
    await save({ DATABASE_URL: "postgres://elsewhere/site", LOG_LEVEL: "silent" });
    expect((await read()).config).toMatchObject({ databaseUrl: null, logLevel: "info" });
  });

  test("a mistake is named in the form's words, with the rest of its group, and nothing is saved", async () => {
    const refused = await save({
      SITE_NAME: "Boards",
      SITE_EMAIL: "nobody",
      SITE_COLOUR: "#ffff00",
    });
    expect(refused).toMatchObject({
      reason: "invalid",
      problems: [
        expect.stringMatching(/^“Email” must be an email address, for example/),
        expect.stringMatching(/^“Colour” must be .* dark enough to read/),
      ],
    });
    expect(await save({ SCHEDULING_CONTACT_URL: "https://calendly.com/a/call" })).toMatchObject({
      problems: [
        expect.stringMatching(/^“Booking link” must be set too, since “Booking link of the/),
      ],
    });
    expect((await read()).config.siteName).toBe("Planks");
    expect(await database.db.selectFrom("settings").selectAll().execute()).toEqual([]);
  });

  test("a secret is written and never read out", async () => {
    await save({ SMTP_URL: "smtp://you:pass%40word@other.example:587" });
    expect((await read()).config.smtpUrl).toBe("smtp://you:pass%40word@other.example:587");
    expect(await listed("SMTP_URL")).toMatchObject({ value: null });
    const refused = await save({ SMTP_URL: "imap://you:pass%40word@other.example" });
    expect(JSON.stringify(refused)).toMatch(/“Mail server” must be/);
    expect(JSON.stringify(refused)).not.toMatch(/pass%40word|you:/);
  });

  test("of two saves at once one is told of the other, also where the group was never set", async () => {
    const { db: elsewhere } = await database.connect();
    for (const name of ["Boards", "Planks & Co"]) {
      const basedOn = version;
      const at = { changes: { SITE_NAME: name, SITE_STREET: name }, basedOn, now };
      const saves = await Promise.all(
        [database.db, elsewhere].map((db) => saveOwnersSettings(db, environment, at)),
      );
      expect(saves).toContainEqual({ ok: true });
      const refused = { ok: false, reason: "changed_elsewhere" };
      expect(saves).toContainEqual(refused);
      version = basedOn;
      expect(await save({ SITE_NAME: "Third" })).toEqual(refused);
      version = (await listOwnersSettings(database.db, environment)).version;
    }
  });

  test("a change that a running program could not take over is tried again, and the run of failures reported once", async () => {
    const found = await read();
    const said: string[] = [];
    let looks = 0;
    const kept = { ...found, settings: siteSettings(found.config) };
    const watch = watchOwnersSettings(database.db, { ...environment }, kept, {
      changed() {
        looks += 1;
        if (looks < 4) throw new Error("The database is away.");
        said.push(kept.config.siteName);
      },
      leftOut() {},
      failed: (error) => said.push(String(error)),
      recovered: () => said.push("recovered"),
    });
    await save({ SITE_NAME: "Boards" });
    watch.start();
    for (let look = 1; look <= 5; look += 1) {
      await expect.poll(() => looks).toBeGreaterThanOrEqual(Math.min(look, 4));
      watch.wake();
    }
    const words = ["Error: The database is away.", "Boards", "recovered"];
    await expect.poll(() => said).toEqual(words);
    await watch.stop();
    expect(said).toEqual(words);
  });

  test("what can't be right any more is left out, and named, and the rest stays", async () => {
    await save({
      SCHEDULING_URL: "https://calendly.com/a/30min",
      SCHEDULING_CONTACT_URL: "https://calendly.com/a/call",
      SMTP_URL: "smtp://you:word@other.example:587",
    });
    const { fault } = await read();
    expect(fault).toBe(null);
    await database.db.deleteFrom("settings").where("name", "=", "SCHEDULING_URL").execute();
    const broken = await read();
    expect(broken.fault).toMatch(/left out: SCHEDULING_URL must be set too/);
    expect(broken.config).toMatchObject({ scheduling: null, siteName: "Planks" });
    // Without the owner's mail server, letters would go by another, or nowhere.
    expect(broken.config.smtpUrl).toBe("smtp://you:word@other.example:587");
  });

  test("an uploaded logo must be a small picture without scripts", async () => {
    const dataUrl = (type: string, text: string | Buffer) =>
      `data:image/${type};base64,${Buffer.from(text).toString("base64")}`;
    await save({ SITE_LOGO: dataUrl("svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>") });
    expect((await read()).config.siteLogo?.type).toBe("svg");
    for (const bad of [
      dataUrl("svg+xml", "<svg><script>1</script></svg>"),
      dataUrl("png", "words"),
      dataUrl("png", Buffer.concat([Buffer.from("\x89PNG"), Buffer.alloc(200 * 1024)])),
      "data:",
    ]) {
      expect(await save({ SITE_LOGO: bad })).toMatchObject({ reason: "invalid" });
    }
    // A file of the machine is never read for it.
    await save({ SITE_LOGO: "public/favicon.svg" });
    expect((await read()).config.siteLogo?.bytes.toString()).toMatch(/^<svg xmlns='/);
  });
});
