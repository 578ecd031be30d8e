import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { makeMemoryFolder } from "#tests/memory-folder.ts";
import { runCommand } from "#tests/site-commands.ts";

let folder: string;
let client: pg.Client;
let url: string;
let database: string;

beforeEach(async () => {
  folder = await makeMemoryFolder("chalkline-copy-command-");
  database = `test_copy_${randomUUID().replaceAll("-", "")}`;
  client = new pg.Client(inject("postgresUrl"));
  await client.connect();
  await client.query(`create database ${database}`);
  const address = new URL(inject("postgresUrl"));
  address.pathname = database;
  url = address.href;
});

afterEach(async () => {
  await client.query(`drop database if exists ${database} with (force)`);
  await client.end();
  await rm(folder, { recursive: true, force: true });
});

it("moves a site to PostgreSQL and back, says when to switch, and what each run has done", async () => {
  const onSqlite = { DATA_DIR: path.join(folder, "data"), PORT: "9" };
  const first = await runCommand(["db", "copy", "--to", url], { env: onSqlite });
  expect(first).toMatchObject({ exitCode: 0, stderr: "" });
  expect(first.stdout).toContain("To switch: stop the site, run this again with --last");
  expect(first.stdout).not.toContain("secret");
  const last = await runCommand(["db", "copy", "--to", url, "--last", "--json"], { env: onSqlite });
  const { tables, isLast } = JSON.parse(last.stdout);
  expect(isLast).toBe(true);
  expect(tables).toContainEqual(
    expect.objectContaining({ table: "final_newsletters", rows: 3, added: 0 }),
  );

  const onPostgres = { DATABASE_URL: url, DATA_DIR: path.join(folder, "unused") };
  const back = path.join(folder, "back");
  expect(await runCommand(["db", "copy", "--to", back], { env: onPostgres })).toMatchObject({
    exitCode: 0,
  });
  const issues = async (env: Record<string, string>) =>
    JSON.parse((await runCommand(["issues", "list", "--json"], { env })).stdout);
  expect(await issues({ DATA_DIR: back })).toEqual(await issues(onSqlite));
  expect(await issues(onPostgres)).toEqual(await issues(onSqlite));
});

it("says with the last run that the site still runs, which would go on writing to the old database", async () => {
  const site = createServer((_request, response) => response.end("ready\n")).listen(0, "127.0.0.1");
  await once(site, "listening");
  const { port } = site.address() as AddressInfo;
  const env = { DATA_DIR: path.join(folder, "data"), HOST: "127.0.0.1", PORT: String(port) };
  const last = ["db", "copy", "--to", url, "--last"];
  expect(await runCommand(last, { env })).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining("The site still runs"),
  });
  site.close();
  expect(await runCommand(last, { env })).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("To switch, set DATABASE_URL"),
  });
});

it("leaves a database alone that is of the same kind, or holds something else", async () => {
  const env = { DATA_DIR: path.join(folder, "data") };
  const same = await runCommand(["db", "copy", "--to", path.join(folder, "other")], { env });
  expect(same).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("db backup") });
  const foreign = new pg.Client(url);
  await foreign.connect();
  await foreign.query("create table orders (id int)");
  const refused = await runCommand(["db", "copy", "--to", url], { env });
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("something else") });
  const { rows } = await foreign.query(
    "select table_name from information_schema.tables where table_schema = 'public'",
  );
  expect(rows).toEqual([{ table_name: "orders" }]);
  await foreign.end();
});

it("keeps a site from starting on what was copied in part", async () => {
  const env = { DATA_DIR: path.join(folder, "data") };
  await runCommand(["db", "copy", "--to", url], { env });
  const copied = new pg.Client(url);
  await copied.connect();
  await copied.query("insert into marks (name, set_at) values ('copy-unfinished', '')");
  await copied.end();
  const onCopy = { DATABASE_URL: url };
  expect(await runCommand(["issues", "list"], { env: onCopy })).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("run db copy into it again"),
  });
  expect(await runCommand(["db", "copy", "--to", url], { env })).toMatchObject({ exitCode: 0 });
  expect(await runCommand(["issues", "list"], { env: onCopy })).toMatchObject({ exitCode: 0 });
});
