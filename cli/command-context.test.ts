import { PassThrough, Readable } from "node:stream";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { createContext } from "./command-context.ts";

describeOnEachDatabase(
  "a command's database",
  (database) => {
    test("may take minutes over a statement, where a visitor's takes seconds", async () => {
      const environment = { DATABASE_URL: database.settings.databaseUrl ?? "" };
      const stdin = Readable.from([]);
      const io = { stdin, stdout: new PassThrough(), stderr: new PassThrough(), environment };
      const allowed = sql<{ statement_timeout: string }>`show statement_timeout`;
      const { rows: ofCommands } = await createContext(io, { json: true }).withStore(({ db }) =>
        allowed.execute(db),
      );
      const { rows: ofVisitors } = await allowed.execute(database.db);
      expect([ofCommands[0]?.statement_timeout, ofVisitors[0]?.statement_timeout]).toEqual([
        "10min",
        "3s",
      ]);
    });
  },
  { kinds: ["postgres"] },
);
