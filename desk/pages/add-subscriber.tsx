import { Form, redirect, useLoaderData } from "react-router";
import { torontoDate } from "#content/toronto-time.ts";
import { addByHand } from "#newsletter/subscribers/subscribe.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { useAskBeforeLeavingForms } from "../leaving.ts";
import { type Answer, Field, Page, Submit } from "../ui.tsx";
import { Choices } from "./sheet.tsx";

export { clientAction } from "../ui.tsx";

export function loader(args: PageArgs) {
  return { today: torontoDate(deskOf(args).now) };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const { db, config, now } = deskOf(args);
  const form = await args.request.formData();
  const field = (name: string) => String(form.get(name) ?? "");
  const added = await addByHand(
    { db, newsletterWebhookUrl: config.newsletterWebhookUrl, now },
    { email: field("email"), kind: field("kind"), how: field("how"), day: field("day") },
  );
  return added.ok ? redirect(`/subscribers/${added.id}`) : added;
}

const consents: [string, string][] = [
  ["express", "They said yes to the newsletter, aloud or in writing. It counts until they leave."],
  ["purchase", "They bought from you or have a contract. It counts for two years from that day."],
  ["question", "They asked you for a quote or the like. It counts for six months from that day."],
];

export default function AddSubscriber() {
  useAskBeforeLeavingForms();
  const { today } = useLoaderData<typeof loader>();
  return (
    <Page title="Add a subscriber" back={{ to: "/subscribers", name: "Subscribers" }}>
      <div className="columns">
        <p>For somebody who has agreed elsewhere. They get every issue, beginning with the next.</p>
        <Form method="post" className="wide">
          <section>
            <Field label="Address">
              <input name="email" type="email" required autoComplete="off" />
            </Field>
            <Choices legend="What kind of consent is it?" name="kind" of={consents} />
            <Field
              label="How did they agree?"
              help="It is kept as the proof that the law asks for. For example: signed the card at our stand at the home show; invoice 1042."
            >
              <textarea name="how" rows={3} required maxLength={4000} />
            </Field>
            <Field label="On which day?">
              <input name="day" type="date" required max={today} defaultValue={today} />
            </Field>
            <Submit intent="add" kind="main" deed="Add the subscriber" />
          </section>
        </Form>
      </div>
    </Page>
  );
}
