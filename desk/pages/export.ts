import { Readable } from "node:stream";
import { exportMessages, exportSubscribers } from "#operator/export.ts";
import { writeRecords } from "#operator/records.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";

export async function loader(args: PageArgs): Promise<Response> {
  const { db } = deskOf(args);
  const what = args.params.what === "messages" ? "messages" : "subscribers";
  const { columns, records } = what === "messages" ? exportMessages(db) : exportSubscribers(db);
  const text = Readable.from(writeRecords(records, columns, "csv"), { objectMode: false });
  return new Response(Readable.toWeb(text) as ReadableStream, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${what}.csv"`,
    },
  });
}
