import { createReadStream } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { findBackup } from "#operator/kept-backups.ts";
import { backupFolder } from "#operator/nightly-backup.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";

export async function loader(args: PageArgs): Promise<Response> {
  const folder = backupFolder(deskOf(args).config);
  const backup = await findBackup(folder, args.params.name ?? "");
  if (!backup) return new Response(null, { status: 404 });
  const bytes = createReadStream(path.join(folder, backup.name));
  return new Response(Readable.toWeb(bytes) as ReadableStream, {
    headers: {
      "Content-Type": "application/octet-stream",
      "Content-Length": String(backup.sizeBytes),
      "Content-Disposition": `attachment; filename="${backup.name}"`,
    },
  });
}
