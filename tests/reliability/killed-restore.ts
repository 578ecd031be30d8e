import type { Kysely, KyselyPlugin } from "kysely";
import { openDatabase } from "#db/open-database.ts";
import type { Database } from "#db/tables.ts";
import { restoreBackup } from "#operator/restore-backup.ts";

// A process that is killed while it restores a backup: before the first row is replaced, or when half of it is in its place.

const { settings, file, folder, isEarly } = JSON.parse(process.argv[2] ?? "");
let isWriting = isEarly;
const killing: KyselyPlugin = {
  transformQuery({ node }) {
    const text = JSON.stringify(node);
    if (isWriting) process.kill(process.pid, "SIGKILL");
    if (text.includes("insert into ") && text.includes('"subscribers"')) isWriting = true;
    return node;
  },
  transformResult: async ({ result }) => result,
};
const open = await openDatabase(settings);
await restoreBackup(
  {
    ...open,
    withoutTimeouts: (work, limits) =>
      open.withoutTimeouts((db) => work(db.withPlugin(killing) as Kysely<Database>), limits),
  },
  { file, folder, settings, now: new Date() },
);
