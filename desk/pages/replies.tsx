import { Form, redirect, useLoaderData } from "react-router";
import {
  firstNamePlace,
  listSavedReplies,
  removeSavedReply,
  savedReplyMaxLength,
  saveReply,
} from "#contact/inbox.ts";
import { deskOf, type PageArgs, readId } from "../desk-context.ts";
import { useAskBeforeLeavingForms } from "../leaving.ts";
import { type Answer, Field, Page, Submit } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db } = deskOf(args);
  return { replies: await listSavedReplies(db), firstNamePlace, savedReplyMaxLength };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const { db } = deskOf(args);
  const form = await args.request.formData();
  const id = readId(form.get("id"));
  if (form.get("intent") === "remove reply") {
    await removeSavedReply(db, { id: id ?? 0 });
    return { ok: true, said: "The saved reply is gone." };
  }
  const [name, text] = [String(form.get("name")), String(form.get("text"))];
  const done = await saveReply(db, { id, name, text });
  if (done.ok) return id ? { ok: true, said: "Saved." } : redirect("/messages/replies");
  return { ok: false, problems: [problems[done.reason]] };
}

const problems = {
  empty: "A saved reply needs a name and a text.",
  too_long: `A saved reply may have ${savedReplyMaxLength} characters, its name 100.`,
  unknown: "That reply was removed meanwhile. Write it below as a new one.",
};

export default function Replies() {
  useAskBeforeLeavingForms();
  const { replies, firstNamePlace } = useLoaderData<typeof loader>();
  return (
    <Page title="Saved replies" back={{ to: "/messages", name: "Messages" }}>
      <p>
        Texts of your own for what is asked often. They are beside each message, and{" "}
        <code>{firstNamePlace}</code> becomes the first name of whoever wrote.
      </p>
      {replies.map((reply) => (
        <Reply key={reply.id} {...reply} />
      ))}
      <Reply key={`new ${replies.length}`} />
    </Page>
  );
}

function Reply({ id, name = "", text }: { id?: number; name?: string; text?: string }) {
  const { firstNamePlace, savedReplyMaxLength } = useLoaderData<typeof loader>();
  return (
    <section>
      <details open={!id}>
        <summary>
          <h2>{id ? name : "A new one"}</h2>
        </summary>
        <Form method="post" className="stack">
          {id && <input type="hidden" name="id" value={id} />}
          <Field label="Name" help="What you find it by.">
            <input name="name" maxLength={100} required defaultValue={name} />
          </Field>
          <Field label="Text">
            <textarea
              name="text"
              rows={5}
              maxLength={savedReplyMaxLength}
              required
              defaultValue={text ?? `Hello ${firstNamePlace},\n\n`}
            />
          </Field>
          <div className="actions">
            <Submit intent="save reply">{id ? "Save" : "Make it"}</Submit>
            {id && (
              <Submit intent="remove reply" sure={`Remove “${name}”?`}>
                Remove
              </Submit>
            )}
          </div>
        </Form>
      </details>
    </section>
  );
}
