import { deskContext, type PageArgs } from "../desk-context.ts";
import { askedFor, find } from "../find.ts";

export async function loader({ context, request }: PageArgs): Promise<Response> {
  return Response.json(await find(context.get(deskContext), askedFor(request)));
}
