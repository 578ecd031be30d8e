import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { SqliteDatabase, SqliteStatement } from "kysely";

/** Prepared statements kept; the product has some dozens. */
const maxCachedStatements = 200;

/** Gives `node:sqlite` the shape of better-sqlite3, which is what Kysely's SQLite driver speaks. */
export function adaptNodeSqlite(connection: DatabaseSync): SqliteDatabase {
  const cache = new Map<string, SqliteStatement>();
  return {
    close: () => connection.close(),
    prepare(sql) {
      const cached = cache.get(sql);
      if (cached !== undefined) {
        // To the end of the line: the first key of the map is the one used longest ago.
        cache.delete(sql);
        cache.set(sql, cached);
        return cached;
      }
      const statement = adaptStatement(connection.prepare(sql));
      const [oldest] = cache.keys();
      if (oldest !== undefined && cache.size >= maxCachedStatements) {
        cache.delete(oldest);
      }
      cache.set(sql, statement);
      return statement;
    },
  };
}

function adaptStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
  };
}
