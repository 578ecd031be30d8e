import type { OpenDatabase } from "#backend/database/database-handle.ts";
import { beginDueSends } from "#backend/newsletter/sends/begin-sends.ts";
import { queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addReaders } from "#tests/sends/readers.ts";

const mb = 1024 * 1024;

/** How long it takes to fix the audience of a send, and by how much this process's memory grows meanwhile. */
export async function measureBeginning(
  open: OpenDatabase,
  readers: number,
): Promise<{ seconds: number; grownMb: number }> {
  await addReaders(open.db, readers);
  await queueTestSend(open.db);
  const before = process.memoryUsage().rss;
  const begunAt = performance.now();
  await beginDueSends(open, new Date());
  return {
    seconds: (performance.now() - begunAt) / 1000,
    grownMb: (process.memoryUsage().rss - before) / mb,
  };
}
