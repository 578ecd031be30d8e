import { findSubscriber } from "#newsletter/list-subscribers.ts";
import { writeProof } from "#operator/person.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";

/** The proof of a subscriber's consent, as `subscribers prove --json` prints it. */
export async function loader(args: PageArgs): Promise<Response> {
  const { db, config, now } = deskOf(args);
  const id = idOf(args);
  const person = await findSubscriber(db, id);
  const written = person && (await writeProof({ db, config, now: now() }, person.email));
  if (!written?.ok) throw new Response(null, { status: 404 });
  return new Response(JSON.stringify({ ok: true, ...written.proof }, null, 2), {
    headers: {
      "Content-Type": "application/json",
      "Content-Disposition": `attachment; filename="consent-${id}.json"`,
    },
  });
}
