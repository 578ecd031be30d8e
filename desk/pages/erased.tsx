import { redirect, useLoaderData } from "react-router";
import {
  describeErased,
  type erasePerson,
  placesOutOfReach,
} from "#newsletter/subscribers/person.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { Empty, Page } from "../ui.tsx";

const origins = {
  "/subscribers": "Subscribers",
  "/messages": "Messages",
} as const;

type Origin = keyof typeof origins;

export function goToErased(
  erased: Awaited<ReturnType<typeof erasePerson>>,
  from: Origin,
): Response {
  const { ok, mailFiles, webhookTold, ...counts } = erased;
  const shown = { ...counts, mailFiles: mailFiles.length, webhookTold: Number(webhookTold) };
  const query = Object.entries(shown).map(([name, count]) => `${name}=${count}`);
  return redirect(`/subscribers/erased?${query.join("&")}&from=${from}`);
}

export function loader(args: PageArgs) {
  const { config } = deskOf(args);
  const asked = new URL(args.request.url).searchParams;
  const count = (name: string) => Math.max(0, Math.min(Number(asked.get(name)) || 0, 1e6));
  const deleted = describeErased({
    subscriptions: count("subscriptions"),
    messages: count("messages"),
    deliveries: count("deliveries"),
    mailFiles: count("mailFiles"),
    webhookTold: count("webhookTold") > 0,
  });
  const from = asked.get("from") ?? "";
  const back: Origin = from in origins ? (from as Origin) : "/subscribers";
  return { deleted, places: placesOutOfReach(config), back };
}

export default function Erased() {
  const { deleted, places, back } = useLoaderData<typeof loader>();
  return (
    <Page title="Erased" back={{ to: back, name: origins[back] }}>
      <section>
        <h2>What was deleted here</h2>
        {deleted.length === 0 && <Empty>Nothing was stored about them.</Empty>}
        <ul>
          {deleted.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p>
          A fingerprint of the address stays, which names nobody: no list and no backup brings them
          back. They can sign up again themselves.
        </p>
      </section>
      <section>
        <h2>What you delete yourself</h2>
        <ul>
          {places.map((place) => (
            <li key={place}>{place}</li>
          ))}
        </ul>
      </section>
    </Page>
  );
}
