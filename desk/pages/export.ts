import { deskOf, type PageArgs } from "../desk-context.ts";

/** `/messages/export.csv` and `/subscribers/export.csv`, as the commands write them. */
export async function loader(args: PageArgs): Promise<Response> {
  const { exportFile } = deskOf(args);
  const what = args.params.what === "messages" ? "messages" : "subscribers";
  return new Response(await exportFile(what, "export"), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${what}.csv"`,
    },
  });
}
