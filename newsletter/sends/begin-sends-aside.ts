import path from "node:path";
import { Worker } from "node:worker_threads";
import type { OpenDatabase } from "#db/database-handle.ts";
import { type BegunSend, beginDueSends, isAnySendDue } from "./begin-sends.ts";

/** A list no longer than this is fixed in a few milliseconds; a thread takes longer to start. */
export const shortListMax = 2_000;
/** The thread's own: the statement's rows stay in SQLite. */
const threadMaxMb = 64;
const threadYoungMaxMb = 12;

type SendsDatabase = Pick<OpenDatabase, "db" | "withoutTimeouts" | "kind" | "location">;

/**
 * Begins every send whose time has come and holds up nobody meanwhile: on SQLite the statement that fixes the audience
 * runs in the process, seconds for a million readers, so for a long list it runs on a thread of its own. Those who
 * write wait for it, as for any writer.
 */
export async function beginSendsAside(database: SendsDatabase, now: Date): Promise<BegunSend[]> {
  if (database.kind === "postgres") return await beginDueSends(database, now);
  if (!(await isAnySendDue(database.db, now))) return [];
  return (await isListLong(database))
    ? await beginOnThread(path.dirname(database.location), now)
    : await beginDueSends(database, now);
}

async function isListLong({ db }: SendsDatabase): Promise<boolean> {
  const beyond = await db
    .selectFrom("subscribers")
    .select("id")
    .orderBy("id")
    .offset(shortListMax)
    .limit(1)
    .executeTakeFirst();
  return beyond !== undefined;
}

function beginOnThread(dataDir: string, now: Date): Promise<BegunSend[]> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL("./begin-sends-thread.ts", import.meta.url), {
      workerData: { dataDir, now },
      resourceLimits: {
        maxOldGenerationSizeMb: threadMaxMb,
        maxYoungGenerationSizeMb: threadYoungMaxMb,
      },
      // The server's own flags are for its own thread.
      execArgv: [],
    });
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", () => reject(new Error("The thread that begins sends has ended.")));
  });
}
