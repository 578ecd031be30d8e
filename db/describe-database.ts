import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import type { OpenDatabase } from "./database-handle.ts";

/** How the database keeps what it is given. */
type DatabaseDescription =
  | { kind: "postgres"; version: string }
  /** Whether an accepted write survives a power cut. */
  | { kind: "sqlite"; synchronous: number; isFull: boolean };

/** SQLite's number for `pragma synchronous = full`. */
const full = 2;

/** For `doctor`: PostgreSQL's version, or how SQLite syncs. Rejects where the database doesn't answer. */
export async function describeDatabase({ db, kind }: OpenDatabase): Promise<DatabaseDescription> {
  if (kind === "postgres") {
    const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db);
    return { kind, version: rows[0]?.server_version ?? "" };
  }
  const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db);
  const synchronous = rows[0]?.synchronous ?? 0;
  return { kind, synchronous, isFull: synchronous === full };
}

/** The journal mode that a SQLite file was left in, before opening it as the site does sets it right. */
export function readJournalMode(file: string): string {
  const connection = new DatabaseSync(file, { readOnly: true });
  try {
    return String(connection.prepare("pragma journal_mode").get()?.journal_mode);
  } finally {
    connection.close();
  }
}
