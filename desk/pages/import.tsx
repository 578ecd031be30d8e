import { createHash } from "node:crypto";
import { useState } from "react";
import { Form, Link, useActionData, useLoaderData, useNavigation } from "react-router";
import { amount, number } from "#content/amounts.ts";
import { importList } from "#newsletter/subscribers/import-list.ts";
import { type Columns, isMeaning, meanings } from "#newsletter/subscribers/read-list.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { useAskBeforeLeavingForms } from "../leaving.ts";
import { type Answer, Field, Page, Submit } from "../ui.tsx";
import { Choices } from "./sheet.tsx";

export { clientAction } from "../ui.tsx";

type Imported = Extract<Awaited<ReturnType<typeof importList>>, { ok: true }>;

/** A list as it was looked at. The browser keeps its file, and sends it again to have it imported. */
type Looked = {
  key: string;
  options: string;
  columns: Columns;
  found: Pick<Imported, "said" | "problems" | "unsaid" | "added"> | null;
};

type ImportAnswer = Answer & { list?: Looked; isDone?: boolean };

export function loader() {
  return { meanings };
}

export async function action(args: PageArgs): Promise<ImportAnswer> {
  const form = await args.request.formData();
  const { db, config, now } = deskOf(args);
  const file = form.get("file");
  if (!(file instanceof File) || file.size === 0) {
    return { ok: false, problem: "Choose the file first." };
  }
  const bytes = Buffer.from(await file.arrayBuffer());
  const key = createHash("sha256").update(bytes).digest("base64url");
  const options = form.get("key") === key ? optionsOf(form) : {};
  const isAsked = form.get("intent") === "import";
  const isDry = !isAsked || JSON.stringify(options) !== form.get("options");
  const unsaid = isDry ? null : form.get("unsaid");
  const imported = await importList(
    { db, newsletterWebhookUrl: config.newsletterWebhookUrl, now },
    { name: file.name, bytes },
    {
      ...options,
      ...{ state: unsaid === "agreed" ? "confirmed" : undefined, ask: unsaid === "ask" },
      consent: String(form.get("consent") ?? ""),
      isDry,
    },
  );
  const { columns } = imported;
  const looked = { key, options: JSON.stringify({ ...options, columns }), columns };
  if (!imported.ok) {
    const { problem } = imported;
    // The list's dry run stays on the page.
    if (!isDry || Object.keys(columns).length === 0) return { ok: false, problem };
    return { ok: false, problem, list: { ...looked, found: null } };
  }
  const { said, problems, added } = imported;
  const found = { said, added, unsaid: imported.unsaid, problems: problems.slice(0, 200) };
  const list = { ...looked, found };
  if (!isDry) return { ok: true, said: "The list is imported.", list, isDone: true };
  const done = isAsked ? "You hadn’t looked at it so." : "Nothing is imported yet.";
  return { ok: true, said: `${done} This is what would become of it.`, list };
}

function optionsOf(form: FormData): { columns: Columns } {
  const columns: Columns = {};
  for (const [name, value] of form) {
    const [, column] = /^column (.*)/s.exec(name) ?? [];
    if (column !== undefined) columns[column] = isMeaning(value) ? value : null;
  }
  return { columns };
}

export default function Import() {
  useAskBeforeLeavingForms();
  const answer = useActionData<ImportAnswer>();
  const { formData } = useNavigation();
  const [list, setList] = useState<Looked>();
  if (answer?.list && answer.list !== list) setList(answer.list);
  const found = list?.found;
  const page = { title: "Import a list", back: { to: "/subscribers", name: "Subscribers" } };
  if (found && answer?.isDone) {
    return (
      <Page {...page}>
        <Outcome {...found} />
        <Link to="/subscribers">See the subscribers</Link>
      </Page>
    );
  }
  return (
    <Page {...page}>
      <div className="columns">
        <p>
          CSV, as Mailchimp, Buttondown, Ghost, Substack and others export it, or a spreadsheet
          saved as “CSV UTF-8”. Nothing is imported yet.
        </p>
        <Form method="post" encType="multipart/form-data" className="stack wide">
          <section>
            <h2>The file</h2>
            <Field label="Choose or drop it here">
              <input type="file" name="file" accept=".csv,.txt,.tsv" required />
            </Field>
            <Submit intent="look" kind={list ? "plain" : "main"} deed="Check the file" />
          </section>
          {found && <Outcome {...found} />}
          {list && <HowItIsRead list={list} key={list.key} />}
          {found && (
            <section>
              <h2>Import</h2>
              {found.unsaid > 0 && (
                <Choices
                  legend={`Have ${found.unsaid === 1 ? "this person" : `these ${number(found.unsaid)} people`} agreed to your newsletter? The list doesn’t say it.`}
                  name="unsaid"
                  of={[
                    ["agreed", "They have agreed. They get the next issue."],
                    [
                      "ask",
                      "Ask each of them. One mail with a button goes to each, six a minute, and nothing after it to whoever doesn’t press it.",
                    ],
                  ]}
                />
              )}
              <Field
                label="What these people agreed to"
                help="The words beside the form where they signed up, or how else you have their consent or their address. It is kept as proof."
              >
                <textarea name="consent" rows={3} maxLength={5_000} />
              </Field>
              <Submit
                intent="import"
                kind="main"
                deed={`Import ${amount(found.added, "new subscriber")}`}
              />
            </section>
          )}
          {formData && <p role="status">Reading the list…</p>}
        </Form>
      </div>
    </Page>
  );
}

function Outcome({ said, problems }: Pick<Imported, "said" | "problems">) {
  return (
    <section>
      <h2>What is in it</h2>
      <ul>
        {said.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {problems.map(({ line, message, words }) => (
          <li key={line}>
            Line {line}: {message} {words && `(${words})`}
          </li>
        ))}
      </ul>
    </section>
  );
}

function HowItIsRead({ list }: { list: Looked }) {
  const { meanings } = useLoaderData<typeof loader>();
  return (
    <section>
      <input type="hidden" name="key" value={list.key} />
      <input type="hidden" name="options" value={list.options} />
      <details open={list.found === null}>
        <summary>How it is read</summary>
        <div className="stack">
          {Object.entries(list.columns).map(([column, meaning]) => (
            <Field key={column} label={`${column} is taken for`}>
              <select name={`column ${column}`} defaultValue={meaning ?? "none"}>
                <option value="none">left out</option>
                {Object.entries(meanings).map(([value, words]) => (
                  <option key={value} value={value}>
                    {words}
                  </option>
                ))}
              </select>
            </Field>
          ))}
          <Submit intent="look" deed="Read it again" />
        </div>
      </details>
    </section>
  );
}
