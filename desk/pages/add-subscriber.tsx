import { Form, redirect, useLoaderData } from "react-router";
import { torontoDate } from "#content/toronto-time.ts";
import { type AddedByHand, addByHand } from "#newsletter/subscribers/add-by-hand.ts";
import type { SubscriberState } from "#newsletter/subscribers/subscriber-states.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { useAskBeforeLeavingForms } from "../leaving.ts";
import { type Answer, Field, Page, Submit } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

export function loader(args: PageArgs) {
  return { today: torontoDate(deskOf(args).now()) };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const { db, config, now } = deskOf(args);
  const { newsletterWebhookUrl } = config;
  const form = await args.request.formData();
  const field = (name: string) => String(form.get(name) ?? "");
  const added = await addByHand(
    { db, newsletterWebhookUrl, now: now() },
    { email: field("email"), kind: field("kind"), how: field("how"), day: field("day") },
  );
  if (added.ok) return redirect(`/subscribers/${added.id}`);
  return { ok: false, problems: [refusalOf(added)] };
}

function refusalOf(refused: AddedByHand & { ok: false }): string {
  switch (refused.reason) {
    case "no_address":
      return "That is no address that mail can be sent to.";
    case "no_kind":
      return "Say which kind of consent it is.";
    case "no_words":
      return "Say how they agreed: that is your proof if anybody asks.";
    case "no_day":
      return "Say on which day they agreed.";
    case "day_to_come":
      return "That day is still to come.";
    case "over":
      return "That is too long ago: such a consent is over by now. Ask them to sign up on the site.";
    case "known":
      return known(refused.state);
  }
}

function known(state: SubscriberState): string {
  if (/erasure|erased/.test(state))
    return "This person was erased at their request. They come back only by signing up on the site themselves.";
  if (/left|leaving/.test(state))
    return "This person has left. They come back only by signing up on the site themselves: that is the new express consent that the law asks for.";
  if (state === "confirmed") return "This person is a subscriber already.";
  if (state === "agreed for a time")
    return "This person is a subscriber already, until the consent that you wrote down ends. Signing up on the site makes it lasting.";
  if (state === "quarantined")
    return "This person has signed up, and may be a program. Find them under “May be spam”.";
  return "Mail to this address came back. Find it under Subscribers, and say there that it works again.";
}

export default function AddSubscriber() {
  useAskBeforeLeavingForms();
  const { today } = useLoaderData<typeof loader>();
  return (
    <Page title="Add a subscriber" back={{ to: "/subscribers", name: "Subscribers" }}>
      <p>
        For somebody who has agreed to your newsletter elsewhere. No mail is sent now; they get
        every issue from the next one on. What you write here is kept as the proof that the law asks
        for.
      </p>
      <Form method="post" className="settings-form">
        <Field label="Address">
          <input name="email" type="email" required autoComplete="off" />
        </Field>
        <fieldset>
          <legend>What kind of consent is it?</legend>
          <label className="check">
            <input type="radio" name="kind" value="express" required />
            They said yes to the newsletter, by word or in writing. It counts until they leave.
          </label>
          <label className="check">
            <input type="radio" name="kind" value="purchase" />
            They bought from you or have a contract. It counts for two years from that day.
          </label>
          <label className="check">
            <input type="radio" name="kind" value="question" />
            They asked you for a quote or the like. It counts for six months from that day.
          </label>
        </fieldset>
        <Field
          label="How did they agree?"
          help="For example: signed the card at our stand at the home show; invoice 1042."
        >
          <textarea name="how" rows={3} required maxLength={4000} />
        </Field>
        <Field label="On which day?">
          <input name="day" type="date" required max={today} />
        </Field>
        <Submit intent="add" kind="main">
          Add them
        </Submit>
      </Form>
    </Page>
  );
}
