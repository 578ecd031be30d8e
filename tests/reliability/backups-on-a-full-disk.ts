import { createReadStream } from "node:fs";
import { openDatabase } from "#db/open-database.ts";
import { receiveBackup } from "#operator/kept-backups.ts";
import { backUpInto } from "#operator/nightly-backup.ts";
import { lookAtBackup } from "#operator/read-backup.ts";
import { restoreBackup } from "#operator/restore-backup.ts";

// A process that can't write large files, as on a full disk, and prints what each deed of a backup's answers.

const { settings, file, folder } = JSON.parse(process.argv[2] ?? "");
const open = await openDatabase(settings);
const now = new Date();
const made = await backUpInto(settings, { folder, now });
const uploaded = await receiveBackup(folder, { bytes: createReadStream(file), now });
const looked = await lookAtBackup(open.db, file, folder);
const restored = await restoreBackup(open, { file, folder, settings, now });
await open.close();
process.stdout.write(JSON.stringify({ made, uploaded, looked, restored }));
