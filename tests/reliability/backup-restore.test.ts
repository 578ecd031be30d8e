import { readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { newFolder } from "#tests/test-folder.ts";
import { until } from "#tests/until.ts";
import { runCommand } from "../site-commands.ts";
import { createSceneServer } from "./scene-server.ts";
import { address, startVisitors, tracerOf } from "./under-fire.ts";

/** Acknowledged before the backup, and again while and after it is made. */
const writesEach = 40;

/** Nothing yet, and the commands that work on it. */
function newSite() {
  const folder = newFolder();
  const env = { DATA_DIR: path.join(folder, "data") };
  return { folder, env, run: (...commandLine: string[]) => runCommand(commandLine, { env }) };
}

test("a backup taken under writes holds all that was acknowledged before it, and the site starts from it", async () => {
  const { folder, env, run } = newSite();
  const server = createSceneServer({ settings: env });
  const crowd = startVisitors(2, () => server.origin);
  onTestFinished(async () => {
    await crowd.stop();
    await server.kill();
  });
  const { messages, signups } = crowd.acknowledged;
  const written = () => messages.length + signups.length;

  await server.start();
  await until(() => written() >= writesEach);
  const before = { messages: [...messages], signups: [...signups] };
  const backup = path.join(folder, "backup.sqlite");
  const made = await run("db", "backup", backup, "--json");
  expect(made).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(made.stdout)).toMatchObject({ file: backup, integrityCheck: "ok" });
  expect((await stat(backup)).mode & 0o777).toBe(0o600);
  // One file, with nothing beside it that would have to be moved too.
  expect((await readdir(folder)).sort()).toEqual(["backup.sqlite", "data"]);
  const after = written() + writesEach;
  await until(() => written() >= after);

  await crowd.stop();
  const forgotten = address(before.signups[0] ?? "");
  const erased = await run("subscribers", "erase", forgotten, "--yes");
  expect(erased).toMatchObject({ exitCode: 0, stderr: "" });

  const restored = await run("db", "restore", backup, "--yes", "--json");
  expect(restored).toMatchObject({ exitCode: 0, stderr: "" });
  const answer = JSON.parse(restored.stdout);
  expect(answer).toMatchObject({ integrityCheck: "ok", repeatedErasures: 1, migrated: [] });
  expect((await readdir(env.DATA_DIR)).filter((name) => !name.startsWith("mail")).sort()).toEqual([
    ...["backups", "chalkline.sqlite", "chalkline.sqlite-shm", "chalkline.sqlite-wal"],
  ]);
  expect(path.dirname(answer.setAside)).toBe(path.join(env.DATA_DIR, "backups"));
  const db = new DatabaseSync(path.join(env.DATA_DIR, "chalkline.sqlite"), { readOnly: true });
  const column = (query: string) =>
    db
      .prepare(query)
      .all()
      .map((row) => String(row.found));
  const storedMessages = column("select message as found from contact_messages").map(tracerOf);
  const storedSignups = column("select email as found from subscribers");
  expect(column("pragma integrity_check").length).toBe(1);
  db.close();
  expect(before.messages.filter((tracer) => !storedMessages.includes(tracer))).toEqual([]);
  const expected = before.signups.map(address).filter((email) => email !== forgotten);
  expect(expected.filter((email) => !storedSignups.includes(email))).toEqual([]);
  expect(storedSignups).not.toContain(forgotten);
  // The last of those that came after it are not in it: it is the backup, and not what was there.
  expect(storedMessages).not.toContain(messages.at(-1));

  // The site that was running goes on, and so does one that starts.
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  await server.kill();
  await server.start();
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
});

test("a restore refuses what is no backup, and leaves the database as it was", async () => {
  const { folder, env, run } = newSite();
  await run("db", "migrate");
  const words = path.join(folder, "words.sqlite");
  await writeFile(words, "These are words and no database.".repeat(100));
  const stranger = path.join(folder, "stranger.sqlite");
  const other = new DatabaseSync(stranger);
  other.exec("create table recipes (id integer)");
  other.close();
  const newer = path.join(folder, "newer.sqlite");
  await run("db", "backup", newer);
  const later = new DatabaseSync(newer);
  later.exec("insert into kysely_migration values ('2999-01-01T00-00-00-later', '')");
  later.close();
  for (const [file, reason] of [
    [words, "is not a database"],
    [stranger, "no backup of this site"],
    [newer, "2999-01-01T00-00-00-later"],
  ] as const) {
    const refused = await run("db", "restore", file, "--yes");
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain(reason);
  }
  expect((await run("issues", "list")).exitCode).toBe(0);
  expect(await readdir(env.DATA_DIR)).toEqual(["backups", "chalkline.sqlite"]);
  // Without --yes nobody can be asked here, and a missing file is named.
  expect((await run("db", "restore", newer)).exitCode).toBe(2);
  expect((await run("db", "restore", "missing.sqlite", "--yes")).exitCode).toBe(2);
});

test("a damaged database is set aside whole, and the backup takes its place", async () => {
  const { folder, env, run } = newSite();
  await run("db", "migrate");
  const backup = path.join(folder, "backup.sqlite");
  await run("db", "backup", backup);
  const location = path.join(env.DATA_DIR, "chalkline.sqlite");
  await rename(location, path.join(folder, "old"));
  const damaged = Buffer.alloc(50_000, 7);
  await writeFile(location, damaged);
  const restored = await run("db", "restore", backup, "--yes");
  expect(restored.exitCode).toBe(0);
  expect((await run("issues", "list")).exitCode).toBe(0);
  const [, present, ...aside] = (await readdir(env.DATA_DIR)).sort();
  expect(present).toBe("chalkline.sqlite");
  expect(aside[0]).toMatch(/^chalkline\.sqlite\.before-restore-\S+Z$/);
  expect(await readFile(path.join(env.DATA_DIR, aside[0] ?? ""))).toEqual(damaged);
  // The old database's neighbouring files move aside with it.
  expect(aside.every((name) => name.startsWith(aside[0] ?? "-"))).toBe(true);
});
