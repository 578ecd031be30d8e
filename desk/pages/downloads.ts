import { Readable } from "node:stream";
import { exportMessages, exportSubscribers } from "#newsletter/subscribers/export.ts";
import { findSubscriber } from "#newsletter/subscribers/list-subscribers.ts";
import { proveConsent } from "#newsletter/subscribers/privacy.ts";
import { writeRecords } from "#newsletter/subscribers/records.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";

export async function loader(args: PageArgs): Promise<Response> {
  const { db } = deskOf(args);
  if (args.params.id === undefined) {
    const what = args.params.what === "messages" ? "messages" : "subscribers";
    const { columns, records } = what === "messages" ? exportMessages(db) : exportSubscribers(db);
    const text = Readable.from(writeRecords(records, columns, "csv"), { objectMode: false });
    return file(Readable.toWeb(text) as ReadableStream, `${what}.csv`, "text/csv; charset=utf-8");
  }
  const id = idOf(args);
  const person = await findSubscriber(db, id);
  const proof = person && (await proveConsent(db, person.email));
  if (!proof) throw new Response(null, { status: 404 });
  const text = JSON.stringify({ ok: true, ...proof }, null, 2);
  return file(text, `consent-${id}.json`, "application/json");
}

function file(body: BodyInit, name: string, type: string): Response {
  const disposition = `attachment; filename="${name}"`;
  return new Response(body, {
    headers: { "Content-Type": type, "Content-Disposition": disposition },
  });
}
