import { sql } from "kysely";
import type { OpenDatabase } from "#db/database-handle.ts";
import { beginDueSends } from "#newsletter/sends/begin-sends.ts";
import { queueTestSend } from "#tests/sends/queue-test-send.ts";

const mb = 1024 * 1024;

/** How long it takes to fix the audience of a send, and by how much this process's memory grows meanwhile. */
export async function measureBeginning(
  open: OpenDatabase,
  readers: number,
): Promise<{ seconds: number; grownMb: number }> {
  await addManyReaders(open, readers);
  await queueTestSend(open.db);
  const before = process.memoryUsage().rss;
  const begunAt = performance.now();
  await beginDueSends(open, new Date());
  return {
    seconds: (performance.now() - begunAt) / 1000,
    grownMb: (process.memoryUsage().rss - before) / mb,
  };
}

/** By the database itself, since a million of them would take minutes to be told. */
async function addManyReaders({ withoutTimeouts }: OpenDatabase, readers: number): Promise<void> {
  await withoutTimeouts((db) =>
    sql`with recursive numbers (n) as
        (select 1 union all select n + 1 from numbers where n < ${sql.lit(readers)})
      insert into subscribers (email, mailbox_key, token, subscribed_at, confirmed_at)
      select 'reader-' || n || '@example.com', 'reader-' || n || '@example.com', 'token-' || n, '2026', '2026'
      from numbers`.execute(db),
  );
}
