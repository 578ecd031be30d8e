import { parentPort, workerData } from "node:worker_threads";
import { openSqlite } from "#db/open-sqlite.ts";
import { beginDueSends } from "./begin-sends.ts";

// The thread of `beginSendsAside`: the folder of the database and the time in, the sends that have begun out.
const { dataDir, now } = workerData as { dataDir: string; now: Date };
const open = await openSqlite(dataDir);
try {
  parentPort?.postMessage(await beginDueSends(open, now));
} finally {
  await open.close();
}
