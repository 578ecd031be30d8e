import { createHash } from "node:crypto";
import { useState } from "react";
import { Form, Link, useActionData, useLoaderData, useNavigation } from "react-router";
import { amount } from "#content/amounts.ts";
import { importList } from "#newsletter/subscribers/import-list.ts";
import {
  type Columns,
  isMeaning,
  listedStates,
  meanings,
} from "#newsletter/subscribers/list-columns.ts";
import {
  dateOrders,
  type LineProblem,
  type ListOptions,
} from "#newsletter/subscribers/read-list.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { useAskBeforeLeavingForms } from "../leaving.ts";
import { type Answer, Field, Page, Submit, Table } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

/** A list as it was looked at. The browser keeps its file, and sends it again to have it imported. */
type Looked = {
  key: string;
  options: string;
  columns: Columns;
  said: string[];
  lines: LineProblem[];
  linesLeftOut: number;
  added: number | null;
};

type ImportAnswer = Answer & { list?: Looked; isDone?: boolean };

export function loader() {
  return { meanings };
}

const linesShown = 200;

export async function action(args: PageArgs): Promise<ImportAnswer> {
  const { db, config, now } = deskOf(args);
  const form = await args.request.formData();
  const file = form.get("file");
  if (!(file instanceof File) || file.size === 0) {
    return { ok: false, problems: ["Choose the file first."] };
  }
  const bytes = Buffer.from(await file.arrayBuffer());
  const key = createHash("sha256").update(bytes).digest("base64url");
  const options = form.get("key") === key ? optionsOf(form) : {};
  const isAsLookedAt = JSON.stringify(options) === form.get("options");
  const isAsked = form.get("intent") === "import";
  const imported = await importList(
    { db, newsletterWebhookUrl: config.newsletterWebhookUrl, now: now() },
    { name: file.name, bytes },
    {
      ...options,
      consent: String(form.get("consent") ?? ""),
      isDry: !(isAsked && isAsLookedAt),
    },
  );
  const { columns } = imported;
  const list = { key, options: JSON.stringify({ ...options, columns }), columns };
  if (!imported.ok) {
    const refusal: Answer = { ok: false, problems: [imported.problem] };
    if (Object.keys(columns).length === 0) return refusal;
    return { ...refusal, list: { ...list, said: [], lines: [], linesLeftOut: 0, added: null } };
  }
  const { said, added, problems } = imported;
  const lines = problems.slice(0, linesShown);
  const looked = { ...list, said, added, lines, linesLeftOut: problems.length - lines.length };
  if (isAsked && isAsLookedAt) {
    return {
      ok: true,
      said: "The list is imported. No mail was sent.",
      list: looked,
      isDone: true,
    };
  }
  return {
    ok: true,
    said: isAsked
      ? "You hadn’t looked at it so. This is what would become of it."
      : "Nothing is imported yet. This is what would become of it.",
    list: looked,
  };
}

function optionsOf(form: FormData): ListOptions {
  const columns: Columns = {};
  for (const [name, value] of form) {
    const [, column] = /^column (.*)/s.exec(name) ?? [];
    if (column !== undefined) columns[column] = isMeaning(value) ? value : null;
  }
  return {
    columns,
    state: listedStates.find((state) => state === form.get("state")),
    dates: dateOrders.find((order) => order === form.get("dates")),
  };
}

export default function Import() {
  useAskBeforeLeavingForms();
  const answer = useActionData<ImportAnswer>();
  const { formData } = useNavigation();
  const [seen, setSeen] = useState<{ answer?: ImportAnswer; list?: Looked }>({});
  if (answer && answer !== seen.answer) setSeen({ answer, list: answer.list ?? seen.list });
  const { list } = seen;
  const page = { title: "Import a list", back: { to: "/subscribers", name: "Subscribers" } };
  if (list && answer?.isDone) {
    return (
      <Page {...page}>
        <Outcome list={list} />
        <Link to="/subscribers">See the subscribers</Link>
      </Page>
    );
  }
  return (
    <Page {...page}>
      <Form method="post" encType="multipart/form-data">
        <section className="stack">
          <h2>The file</h2>
          <p>
            CSV, as Mailchimp, Buttondown, Ghost, Substack and others export it, or a spreadsheet
            saved as “CSV UTF-8”. Nothing is imported yet.
          </p>
          <div className="row">
            <Field label="Choose or drop it here">
              <input type="file" name="file" accept=".csv,.txt,.tsv" required />
            </Field>
            <Submit intent="look" kind={list ? "plain" : "main"}>
              Look at it
            </Submit>
          </div>
        </section>
        {list && (
          <>
            <input type="hidden" name="key" value={list.key} />
            <input type="hidden" name="options" value={list.options} />
            {list.added !== null && <Outcome list={list} />}
            <HowItIsRead list={list} key={list.key} />
          </>
        )}
        {list && list.added !== null && (
          <section className="stack">
            <h2>Import</h2>
            <Field
              label="What these people agreed to"
              help="The words beside the form where they signed up, or how else you have their consent. It is kept as proof."
            >
              <textarea name="consent" rows={3} maxLength={5_000} />
            </Field>
            <Submit intent="import" kind="main">
              Import {amount(list.added, "new subscriber")}
            </Submit>
          </section>
        )}
        {formData && <p role="status">Reading the list…</p>}
      </Form>
    </Page>
  );
}

function Outcome({ list: { said, lines, linesLeftOut } }: { list: Looked }) {
  return (
    <section>
      <h2>What is in it</h2>
      {said.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {lines.length > 0 && (
        <Table columns={["Line", "What is wrong", "Its words"]}>
          {lines.map(({ line, message, words }) => (
            <tr key={line}>
              <td>{line}</td>
              <td>{message}</td>
              <td>{words}</td>
            </tr>
          ))}
        </Table>
      )}
      {linesLeftOut > 0 && <p>And {amount(linesLeftOut, "line")} more.</p>}
    </section>
  );
}

function HowItIsRead({ list }: { list: Looked }) {
  const { meanings } = useLoaderData<typeof loader>();
  return (
    <section>
      <details open={list.added === null}>
        <summary>
          <h2>How it is read</h2>
        </summary>
        <div className="stack">
          <Table columns={["Column", "Taken for"]}>
            {Object.entries(list.columns).map(([column, meaning]) => (
              <tr key={column}>
                <td>{column}</td>
                <td>
                  <select
                    name={`column ${column}`}
                    aria-label={`${column} is taken for`}
                    defaultValue={meaning ?? "none"}
                  >
                    <option value="none">left out</option>
                    {Object.entries(meanings).map(([value, words]) => (
                      <option key={value} value={value}>
                        {words}
                      </option>
                    ))}
                  </select>
                </td>
              </tr>
            ))}
          </Table>
          <div className="row">
            <Field label="Rows without a state are">
              <select name="state">
                <option value="">as the file says</option>
                <option value="confirmed">confirmed</option>
                <option value="unconfirmed">not confirmed yet</option>
                <option value="unsubscribed">people who left</option>
              </select>
            </Field>
            <Field label="Dates such as 5/1/2022 begin with">
              <select name="dates">
                <option value="">as the file shows</option>
                <option value="month-first">the month</option>
                <option value="day-first">the day</option>
              </select>
            </Field>
            <Submit intent="look">Read it again</Submit>
          </div>
        </div>
      </details>
    </section>
  );
}
