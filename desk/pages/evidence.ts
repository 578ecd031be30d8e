import { findSubscriber } from "#newsletter/list-subscribers.ts";
import { proveConsent } from "#newsletter/privacy.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";

/** The proof of a subscriber's consent, as JSON. */
export async function loader(args: PageArgs): Promise<Response> {
  const { db } = deskOf(args);
  const id = idOf(args);
  const person = await findSubscriber(db, id);
  const proof = person && (await proveConsent(db, person.email));
  if (!proof) throw new Response(null, { status: 404 });
  return new Response(JSON.stringify({ ok: true, ...proof }, null, 2), {
    headers: {
      "Content-Type": "application/json",
      "Content-Disposition": `attachment; filename="consent-${id}.json"`,
    },
  });
}
