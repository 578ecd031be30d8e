import path from "node:path";
import { Form, Link, redirect, useLoaderData } from "react-router";
import { amount, number } from "#content/amounts.ts";
import {
  beginImport,
  findUploadedList,
  type ImportOutcome,
  readAgain,
  uploadList,
} from "#operator/import-list.ts";
import { listedStates, type Meaning, meanings } from "#operator/list-formats.ts";
import {
  type Columns,
  dateOrders,
  type ListFault,
  type ListOptions,
  type ListWarning,
} from "#operator/read-list.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { useAskBeforeLeavingForms } from "../leaving.ts";
import { type Answer, Field, LookAgain, Page, Submit, Table } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

const lookEveryMs = 1_000;

export async function loader(args: PageArgs) {
  const { db } = deskOf(args);
  const { key } = args.params;
  if (!key) return { list: null, meanings };
  const list = await findUploadedList(db, key);
  // Deleted after a day, or with somebody in it who was erased.
  if (!list) throw redirect("/subscribers/import");
  const { outcome, leftOut } = list;
  const problems = outcome.ok
    ? [...leftOut.map(leftOutWords), ...outcome.warnings.map(warningWords)]
    : [faultWords(outcome)];
  return { list: { ...list, columns: columnsOf(outcome) }, problems, meanings };
}

function columnsOf(outcome: ImportOutcome | ListFault): Columns {
  if ("columns" in outcome) return outcome.columns;
  return Object.assign({}, ...("lists" in outcome ? outcome.lists : []).map((one) => one.columns));
}

function leftOutWords(file: string): string {
  return `${file} is left out: by its name, nobody in it subscribed, or is mailed any more.`;
}

function warningWords(warning: ListWarning): string {
  if (warning.kind === "column_passed_over") {
    return `${warning.column} is ignored. If it says who has left, choose so below.`;
  }
  return `What ${warning.words.join(", ")} mean of somebody’s state isn’t known: these people count as not confirmed. If it is about something else, ignore the column below.`;
}

function faultWords(fault: ListFault): string {
  switch (fault.reason) {
    case "unreadable":
      return fault.problems.map(({ line, message }) => `Line ${line ?? 1} ${message}`).join(" ");
    case "no_addresses":
      return "There is no column of email addresses. Choose below which one it is.";
    case "unclear_date":
      return `${fault.date} can be read in two ways. Say which comes first, below.`;
    case "unknown_column":
      return `There is no column “${fault.column}”.`;
  }
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const { db, now, wakeImports } = deskOf(args);
  const { key } = args.params;
  const form = await args.request.formData();
  if (!key) {
    const file = form.get("file");
    if (!(file instanceof File) || file.size === 0) {
      return { ok: false, problems: ["Choose the file first."] };
    }
    // Its name says whose export it is, and sometimes who is in it.
    const name = path.basename(file.name.replaceAll("\\", "/")).slice(-120) || "list.csv";
    const bytes = Buffer.from(await file.arrayBuffer());
    const uploaded = await uploadList(db, { name, bytes, now: now() });
    if (!uploaded.ok) return { ok: false, problems: [uploaded.problem] };
    return redirect(`/subscribers/import/${uploaded.key}`);
  }
  const gone: Answer = {
    ok: false,
    problems: ["That list is not there any more. Choose it again."],
  };
  switch (form.get("intent")) {
    case "read": {
      const read = await readAgain(db, key, { options: optionsOf(form), now: now() });
      return read.ok ? redirect(`/subscribers/import/${key}`) : gone;
    }
    case "import": {
      const consent = String(form.get("consent") ?? "").trim();
      if (consent === "") {
        return {
          ok: false,
          problems: ["Say what these people agreed to: the law asks for proof."],
        };
      }
      const begun = await beginImport(db, key, { consent, now: now() });
      if (!begun.ok) return gone;
      wakeImports();
      return redirect(`/subscribers/import/${key}`);
    }
    default:
      return { ok: false, problems: ["Nothing was done."] };
  }
}

function optionsOf(form: FormData): ListOptions {
  const columns: Columns = {};
  for (const [name, value] of form) {
    const [, column] = /^column (.*)/s.exec(name) ?? [];
    if (column === undefined) continue;
    columns[column] = String(value) in meanings ? (value as Meaning) : null;
  }
  return {
    columns,
    state: listedStates.find((state) => state === form.get("state")),
    dates: dateOrders.find((order) => order === form.get("dates")),
  };
}

export default function Import() {
  useAskBeforeLeavingForms();
  const { list, problems = [], meanings } = useLoaderData<typeof loader>();
  const outcome = list?.outcome.ok ? list.outcome : null;
  const isOpen = list?.state === "read" || list?.state === "failed";
  return (
    <Page title="Import a list" back={{ to: "/subscribers", name: "Subscribers" }}>
      {list?.state === "failed" && (
        <div className="notice wrong" role="alert">
          <p>The import broke off. Begin it again: nobody is added twice.</p>
        </div>
      )}
      {list?.state === "importing" && (
        <section>
          <LookAgain everyMs={lookEveryMs} />
          <p role="status">
            <progress aria-label="Rows that are done" max={list.total} value={list.done} />{" "}
            {list.done === 0
              ? "Reading the list…"
              : `${number(list.done)} of ${amount(list.total, "row")}`}
          </p>
          <p>It goes on if you leave this page, or close the desk while the site runs.</p>
        </section>
      )}
      {!list && <ChooseFile />}
      {list && !outcome && (
        <div className="notice wrong" role="alert">
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </div>
      )}
      {list && outcome && list.state !== "importing" && (
        <Result name={list.name} outcome={outcome} isDone={!isOpen} problems={problems} />
      )}
      {list && isOpen && (
        <section>
          <details open={!outcome || "columns" in list.options} key={JSON.stringify(list.columns)}>
            <summary>
              <h2>How it is read</h2> {inOneLine(list.columns, meanings)}
            </summary>
            <Form method="post" className="stack">
              <ColumnsTable columns={list.columns} meanings={meanings} />
              <div className="row">
                <Field label="Rows without a state are">
                  <select name="state" defaultValue={list.options.state ?? ""}>
                    <option value="">as the file says</option>
                    <option value="confirmed">confirmed</option>
                    <option value="unconfirmed">not confirmed yet</option>
                    <option value="unsubscribed">people who left</option>
                  </select>
                </Field>
                <Field label="Dates such as 5/1/2022 begin with">
                  <select name="dates" defaultValue={list.options.dates ?? ""}>
                    <option value="">as the file shows</option>
                    <option value="month-first">the month</option>
                    <option value="day-first">the day</option>
                  </select>
                </Field>
                <Submit intent="read">Read it again</Submit>
              </div>
            </Form>
          </details>
        </section>
      )}
      {outcome && isOpen && (
        <section>
          <h2>Import</h2>
          <Form method="post" className="stack">
            <Field
              label="What these people agreed to"
              help="The words beside the form where they signed up, or how else you have their consent. It is kept as proof."
            >
              <textarea
                name="consent"
                rows={3}
                maxLength={2_000}
                defaultValue={list?.consent}
                required
              />
            </Field>
            <Submit intent="import" kind="main">
              Import {amount(outcome.new, "new subscriber")}
            </Submit>
          </Form>
        </section>
      )}
      {list?.state === "imported" && <Link to="/subscribers">See the subscribers</Link>}
    </Page>
  );
}

function ChooseFile() {
  return (
    <section>
      <h2>The file</h2>
      <p>
        An export as you downloaded it, from Mailchimp, Buttondown, Ghost, Substack and others, or a
        spreadsheet saved as CSV with a column “email”. Nothing is imported yet. What you don’t
        import is deleted after a day.
      </p>
      <Form method="post" encType="multipart/form-data" className="row">
        <Field label="Choose or drop it here">
          <input type="file" name="file" accept=".csv,.txt,.tsv,.json,.ndjson,.zip" required />
        </Field>
        <Submit intent="look" kind="main">
          Look at it
        </Submit>
      </Form>
    </section>
  );
}

/** `Email Address: address · OPTIN_TIME: signed up at` */
function inOneLine(columns: Columns, words: Record<Meaning, string>): string {
  return Object.entries(columns)
    .flatMap(([name, meaning]) => (meaning ? `${name}: ${words[meaning]}` : []))
    .join(" · ");
}

function ColumnsTable({
  columns,
  meanings,
}: {
  columns: Columns;
  meanings: Record<Meaning, string>;
}) {
  if (Object.keys(columns).length === 0) return null;
  return (
    <Table columns={["Column", "Taken for"]}>
      {Object.entries(columns).map(([column, meaning]) => (
        <tr key={column}>
          <td>{column}</td>
          <td>
            <select
              name={`column ${column}`}
              aria-label={`${column} is taken for`}
              defaultValue={meaning ?? "none"}
            >
              <option value="none">ignored</option>
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
  );
}

function Result({
  name,
  outcome,
  isDone,
  problems,
}: {
  name: string;
  outcome: ImportOutcome;
  isDone: boolean;
  problems: string[];
}) {
  const { lists, invalid, invalidCount } = outcome;
  return (
    <section>
      <h2>{isDone ? "Imported. No mail was sent." : `${name}: ${lists[0]?.from}`}</h2>
      <dl className="facts">
        {(
          [
            ["new", "new"],
            ["duplicate", "here already, or twice in the file"],
            ["leftNow", "subscribers until now, who left there"],
            ["bouncedNow", "subscribers until now, whose address bounced there"],
            ["erased", "left out: they asked to be erased"],
            ["invalidCount", "lines that can’t be read"],
          ] as const
        )
          .filter(([key]) => key === "new" || outcome[key] > 0)
          .map(([key, words]) => (
            <div key={key} className="pair">
              <dt>{number(outcome[key])}</dt>
              <dd>{words}</dd>
            </div>
          ))}
      </dl>
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
      {invalid.length > 0 && (
        <Table columns={["Line", "What is wrong"]}>
          {invalid.map(({ line, message }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes.
            <tr key={index}>
              <td>{line}</td>
              <td>{message}</td>
            </tr>
          ))}
        </Table>
      )}
      {invalidCount > invalid.length && <p>And {invalidCount - invalid.length} more.</p>}
    </section>
  );
}
