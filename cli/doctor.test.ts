import { stat } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { beforeEach, expect, it } from "vitest";
import { openStore } from "#newsletter/open-store.ts";
import type { NamedFinding } from "#server/health/check-machine.ts";
import { freePort } from "#tests/free-port.ts";
import { startMailServer } from "#tests/mail-server.ts";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";

const folder = folderForEachTest();
let env: Record<string, string>;

beforeEach(async () => {
  // Nothing listens there, so that no other program is taken for the site.
  env = { DATA_DIR: path.join(folder.path, "data"), PORT: String(await freePort()) };
});

async function examine(settings: Record<string, string>) {
  const run = await runCommand(["doctor", "--json"], { env: settings });
  const { findings }: { findings: NamedFinding[] } = JSON.parse(run.stdout);
  return {
    exitCode: run.exitCode,
    about: (name: string) => findings.filter(({ about }) => about === name),
    attention: findings.filter(({ state }) => state === "attention").map(({ about }) => about),
  };
}

it("notes what is unset on a machine for trying out, changes nothing, and ends with 0", async () => {
  const { exitCode, about, attention } = await examine(env);
  expect({ exitCode, attention }).toEqual({ exitCode: 0, attention: [] });
  expect(about("SITE_EMAIL")[0]).toMatchObject({ state: "note" });
  expect(about("Database")[0]?.message).toContain("has no database yet");
  expect(about("Mail")[0]?.message).toContain("no mail server is set");
  expect(about("Claims")).toHaveLength(1);
  const [{ state, advice } = { state: null, advice: "" }] = about("Claims");
  expect([state, advice]).toEqual(["note", expect.stringContaining("50+ GTA businesses served")]);
  // One that names its source.
  expect(advice).not.toContain("391%");
  await expect(stat(env.DATA_DIR ?? "")).rejects.toThrow("ENOENT");
});

it("wants the firm's facts and a mail server for a public site", async () => {
  const { exitCode, attention } = await examine({ ...env, SITE_URL: "https://www.example.com" });
  expect(exitCode).toBe(1);
  expect(attention).toEqual(expect.arrayContaining(["SITE_EMAIL", "SITE_STREET", "Mail"]));
});

it("wants a migration that is missing, and a program that is older than its database", async () => {
  const store = await openStore({ dataDir: env.DATA_DIR ?? "", databaseUrl: null });
  const sound = (await examine(env)).about("Database");
  expect(sound.map(({ state, message }) => `${state}: ${message}`).join(" ")).toMatch(
    /^ok: .*ok: Its migrations are current/s,
  );
  await sql`insert into kysely_migration values ('2999-01-01T00-00-00-later', '')`.execute(
    store.db,
  );
  expect((await examine(env)).about("Database").at(-1)).toMatchObject({
    state: "attention",
    message: expect.stringContaining("2999-01-01T00-00-00-later"),
  });
  await store.db.schema.dropTable("kysely_migration").execute();
  await store.close();
  expect((await examine(env)).about("Database").at(-1)).toMatchObject({
    state: "attention",
    advice: "Run: db migrate",
  });
});

it("signs in to the mail server without sending", async () => {
  const mail = await startMailServer();
  const settings = { ...env, SMTP_URL: mail.url };
  const reached = await examine(settings).finally(() => mail.close());
  expect(reached.attention).toEqual([]);
  expect(reached.about("Mail")[0]?.state).toBe("ok");
  expect(mail.received).toEqual([]);
  expect(await examine(settings)).toMatchObject({ exitCode: 1, attention: ["Mail"] });
});
