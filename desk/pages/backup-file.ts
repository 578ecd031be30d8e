import { createReadStream } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { backupFolder, findBackup, receiveBackup } from "#db/backup.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";

export async function loader(args: PageArgs): Promise<Response> {
  const { config } = deskOf(args);
  const backup = await findBackup(config, args.params.name ?? "");
  if (!backup) return new Response(null, { status: 404 });
  const bytes = createReadStream(path.join(backupFolder(config), backup.name));
  return new Response(Readable.toWeb(bytes) as ReadableStream, {
    headers: {
      "Content-Type": "application/octet-stream",
      "Content-Length": String(backup.sizeBytes),
      "Content-Disposition": `attachment; filename="${backup.name}"`,
    },
  });
}

/** The body is the file itself, which is written to the disk as it comes. */
export async function action(args: PageArgs): Promise<Response> {
  const { config, environment, now } = deskOf(args);
  const { body, headers } = args.request;
  const place = { ...config, environment };
  const given = { name: args.params.name ?? "", sizeBytes: Number(headers.get("Content-Length")) };
  const bytes = Readable.from((body ?? []) as AsyncIterable<Uint8Array>);
  return Response.json(await receiveBackup(place, { ...given, bytes, now: now() }));
}
