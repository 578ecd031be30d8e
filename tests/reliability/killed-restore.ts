import { existsSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import type { Kysely, KyselyPlugin } from "kysely";
import { openDatabase } from "#db/open-database.ts";
import type { Database } from "#db/tables.ts";
import { backupFolder } from "#operator/nightly-backup.ts";
import { restoreBackup } from "#operator/restore-backup.ts";
import { restoreDatabase } from "#operator/restore-database.ts";

// A process that is killed while it restores a backup: before the first row is replaced, or when half of it is in its place;
// without a folder, while it makes a new database for one that can't be used.

const { settings, file, folder, isEarly } = JSON.parse(process.argv[2] ?? "");
if (!folder) {
  const backups = backupFolder(settings);
  mkdirSync(backups, { recursive: true });
  setInterval(() => {
    const isBegun = (name: string) => existsSync(path.join(backups, name, "new"));
    if (readdirSync(backups).some(isBegun)) process.kill(process.pid, "SIGKILL");
  }, 1);
  await restoreDatabase(settings, { file, now: new Date(), isSiteUp: async () => false });
}
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
