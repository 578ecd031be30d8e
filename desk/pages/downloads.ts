import { createReadStream } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { exportMessages } from "#contact/messages.ts";
import { backupFolder, findBackup } from "#db/backup.ts";
import { writeRecords } from "#newsletter/records.ts";
import { exportSubscribers, findSubscriber } from "#newsletter/subscribers/list-subscribers.ts";
import { proveConsent } from "#newsletter/subscribers/person.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";

export async function loader(args: PageArgs): Promise<Response> {
  const { db, config } = deskOf(args);
  const { what, name } = args.params;
  if (name !== undefined) {
    const backup = await findBackup(config, name);
    if (!backup) return new Response(null, { status: 404 });
    const bytes = createReadStream(path.join(backupFolder(config), backup.name));
    const length = { "Content-Length": String(backup.sizeBytes) };
    return file(bytes, backup.name, "application/octet-stream", length);
  }
  if (what !== undefined) {
    const { columns, records } = what === "messages" ? exportMessages(db) : exportSubscribers(db);
    const text = Readable.from(writeRecords(records, columns, "csv"), { objectMode: false });
    const list = what === "messages" ? "messages.csv" : "subscribers.csv";
    return file(text, list, "text/csv; charset=utf-8");
  }
  const id = idOf(args);
  const person = await findSubscriber(db, id);
  const proof = person && (await proveConsent(db, person.email));
  if (!proof) throw new Response(null, { status: 404 });
  const text = JSON.stringify({ ok: true, ...proof }, null, 2);
  return file(Readable.from([text]), `consent-${id}.json`, "application/json");
}

function file(bytes: Readable, name: string, type: string, headers: HeadersInit = {}): Response {
  return new Response(Readable.toWeb(bytes) as ReadableStream, {
    headers: {
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${name}"`,
      ...headers,
    },
  });
}
