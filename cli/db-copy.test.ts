import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";

const folder = folderForEachTest();
describeOnEachDatabase(
  "db copy",
  (database) => {
    const url = () => database.settings.databaseUrl ?? "";
    it("moves a site to PostgreSQL and back, with its ids, and what is written there goes on from them", async () => {
      const onSqlite = { DATA_DIR: path.join(folder.path, "data"), PORT: "9" };
      const list = path.join(folder.path, "list.csv");
      await writeFile(list, "email,confirmed_at\nana@example.com,2026-01-05\nben@example.com,\n");
      const imported = ["subscribers", "import", list, "--consent", "A form on paper", "--ask"];
      expect(await runCommand(imported, { env: onSqlite })).toMatchObject({ exitCode: 0 });
      const removed = ["issues", "remove", "3", "--yes"];
      expect(await runCommand(removed, { env: onSqlite })).toMatchObject({ exitCode: 0 });
      const there = await runCommand(["db", "copy", "--to", url(), "--json"], { env: onSqlite });
      expect(there).toMatchObject({ exitCode: 0, stderr: "" });
      expect(there.stdout).not.toContain("secret");
      const issues = { table: "final_newsletters", rows: 2 };
      expect(JSON.parse(there.stdout).tables).toContainEqual(issues);

      const unused = path.join(folder.path, "unused");
      const onPostgres = { DATABASE_URL: url(), DATA_DIR: unused, PORT: "9" };
      const back = path.join(folder.path, "back");
      expect(await runCommand(["db", "copy", "--to", back], { env: onPostgres })).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining("unset DATABASE_URL and set DATA_DIR"),
      });
      const onCopy = { DATA_DIR: back };
      const read = async (command: string[], env: Record<string, string>) =>
        JSON.parse((await runCommand([...command, "--json"], { env })).stdout);
      for (const command of [
        ["issues", "list"],
        ["subscribers", "export"],
      ]) {
        const original = await read(command, onSqlite);
        expect(await read(command, onPostgres)).toEqual(original);
        expect(await read(command, onCopy)).toEqual(original);
      }
      const issue = path.join(folder.path, "next.md");
      await writeFile(issue, "# Next\n\nWords.\n");
      for (const env of [onPostgres, onCopy]) {
        // The id of the removed issue is never given out again.
        expect(await read(["issues", "publish", issue], env)).toMatchObject({ id: 4 });
      }
    });

    it("refuses while the site runs, which would go on writing to the old database", async () => {
      const site = createServer((_request, response) => response.end("ready\n"));
      await once(site.listen(0, "127.0.0.1"), "listening");
      const PORT = String((site.address() as AddressInfo).port);
      const env = { DATA_DIR: path.join(folder.path, "data"), HOST: "127.0.0.1", PORT };
      const copy = ["db", "copy", "--to", url()];
      expect(await runCommand(copy, { env })).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining("Stop it, and run this again"),
      });
      site.close();
      expect(await runCommand(copy, { env })).toMatchObject({ exitCode: 0 });
      // A second copy would mix two databases.
      expect(await runCommand(copy, { env })).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining("final_newsletters"),
      });
    });

    it("leaves a database alone that is of the same kind, or holds something else", async () => {
      const env = { DATA_DIR: path.join(folder.path, "data") };
      const other = path.join(folder.path, "other");
      expect(await runCommand(["db", "copy", "--to", other], { env })).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining("db backup"),
      });
      await sql`create table orders (id int)`.execute(database.db);
      const refused = await runCommand(["db", "copy", "--to", url()], { env });
      expect(refused).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining("something else"),
      });
      const tables = await database.db.introspection.getTables();
      expect(tables.map(({ name }) => name)).toEqual(["orders"]);
    });
  },
  { migrated: false, kinds: ["postgres"] },
);
