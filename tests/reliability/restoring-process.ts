import { migrateToLatest } from "#db/migrate.ts";
import { finishRestore, isToDo, readRestore, replaceByBackup } from "#db/restore.ts";
import { openStore } from "#newsletter/open-store.ts";
import { carryOverSince } from "#newsletter/since-backup.ts";

// Runs a requested restore as the start does, in a process of its own that can be killed.

const place = { ...JSON.parse(process.argv[2] ?? ""), environment: { PATH: process.env.PATH } };
const store = await openStore(place);
const restore = await readRestore(place);
process.stdout.write("begun");
if (isToDo(restore) && (await replaceByBackup(place, restore))) {
  await migrateToLatest(store);
  await finishRestore(store, place, restore, (trx) => carryOverSince(trx, new Date()));
}
await store.close();
