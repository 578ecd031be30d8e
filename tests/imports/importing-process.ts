/** The worker that imports lists, as a process of its own, so that it can be killed: on the database that it is told of. */
import { openDatabase } from "#db/open-database.ts";
import { createImportWorker } from "#operator/import-list.ts";

const open = await openDatabase(JSON.parse(process.argv[2] ?? "{}"));
createImportWorker({ db: open.db, newsletterWebhookUrl: null, reportError: console.error }).start();
console.log("importing");
process.on("disconnect", () => process.exit());
setInterval(() => {}, 60_000);
