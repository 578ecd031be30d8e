import { findSubscriberEmail } from "#newsletter/list-subscribers.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";

/** The proof of a subscriber's consent, as `subscribers prove` writes it. */
export async function loader(args: PageArgs): Promise<Response> {
  const { db, runCommand } = deskOf(args);
  const email = await findSubscriberEmail(db, idOf(args));
  if (email === null) throw new Response(null, { status: 404 });
  const { json } = await runCommand("subscribers", "prove", email);
  return new Response(JSON.stringify(json, null, 2), {
    headers: {
      "Content-Type": "application/json",
      "Content-Disposition": `attachment; filename="consent-${args.params.id}.json"`,
    },
  });
}
