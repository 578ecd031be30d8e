import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Form, Link, redirect, useLoaderData } from "react-router";
import { meanings } from "#cli/subscribers/list-formats.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { type Answer, amount, Field, LookAgain, number, Page, Submit } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

type Problem = { file: string | null; line: number | null; message: string };

/** What `subscribers import --json` prints. */
type Outcome = {
  from: string;
  columns: Record<string, string | null>;
  warnings: string[];
  states: Record<string, number>;
  new: number;
  duplicate: number;
  erased: number;
  leftNow: number;
  bouncedNow: number;
  invalidCount: number;
  invalid: Problem[];
};
type Refusal = { error: { message: string; columns?: Outcome["columns"] } };

type Run = { outcome: Outcome | Refusal | null; done: number; total: number };

/** Imports that this desk runs or has run, by the key of their file. */
const runs = new Map<string, Run>();

const lookEveryMs = 1_000;

export async function loader(args: PageArgs) {
  const { config, runCommand } = deskOf(args);
  const { key } = args.params;
  const asked = new URL(args.request.url).searchParams;
  const empty = {
    ...{ key: key ?? null, name: "", run: null, outcome: null, refusal: null, columns: {} },
    isChanged: asked.size > 0,
    state: asked.get("state") ?? "",
    dates: asked.get("dates") ?? "",
  };
  if (!key) return empty;
  const run = runs.get(key);
  if (run) {
    const { outcome: read, ...progress } = run;
    return { ...empty, run: { ...progress, isOver: read !== null }, ...(read && told(read)) };
  }
  const file = await findUpload(folderOf(config.dataDir, key));
  if (!file) {
    const refusal = "That file was imported or taken away. Choose it again.";
    return { ...empty, key: null, refusal };
  }
  const words = ["subscribers", "import", file, "--dry-run", ...optionsOf(asked)];
  const { json } = await runCommand(...words);
  return { ...empty, name: path.basename(file), ...told(json as Outcome | Refusal) };
}

function told(read: Outcome | Refusal) {
  if (!("error" in read)) return { outcome: read, columns: read.columns };
  const { message, columns = {} } = read.error;
  // A message of the command line names its options, and the file by its place.
  const refusal = message
    .replaceAll(/\S*\/imports\/[\w-]+\//g, "")
    .replace(/: --dates .*/s, ", below.")
    .replace(/ Call the column email, .*/s, " Choose below which one it is.");
  return { refusal, columns };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const { config, followCommand, reportError } = deskOf(args);
  const { key } = args.params;
  const form = await args.request.formData();
  if (!key) {
    const file = form.get("file");
    if (!(file instanceof File) || file.size === 0) {
      return { ok: false, problems: ["Choose the file first."] };
    }
    const made = randomUUID();
    const folder = folderOf(config.dataDir, made);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Its name says whose export it is, and sometimes who is in it.
    const name = path.basename(file.name.replaceAll("\\", "/")).slice(-120) || "list.csv";
    await writeFile(path.join(folder, name), await file.bytes(), { mode: 0o600 });
    return redirect(`/subscribers/import/${made}`);
  }
  const folder = folderOf(config.dataDir, key);
  const file = await findUpload(folder);
  const consent = String(form.get("consent")).trim();
  if (!file) return { ok: false, problems: ["That file is not there any more. Choose it again."] };
  if (consent === "") {
    return { ok: false, problems: ["Say what these people agreed to: the law asks for proof."] };
  }
  if (!runs.has(key)) {
    const run: Run = { outcome: null, done: 0, total: 0 };
    runs.set(key, run);
    const chosen = optionsOf(new URL(args.request.url).searchParams);
    const words = ["subscribers", "import", file, "--consent", consent, ...chosen];
    void followCommand((done, total) => Object.assign(run, { done, total }), ...words)
      .then(({ json }) => {
        run.outcome = json as Outcome | Refusal;
      })
      .catch((error) => {
        reportError(error);
        run.outcome = {
          error: { message: "The import broke off. It can be run again: nobody is added twice." },
        };
      })
      .finally(() => rm(folder, { recursive: true, force: true }));
  }
  return redirect(`/subscribers/import/${key}`);
}

function folderOf(dataDir: string, key: string): string {
  return path.join(dataDir, "imports", key.replaceAll(/[^\w-]/g, ""));
}

async function findUpload(folder: string): Promise<string | null> {
  const [name] = await readdir(folder).catch(() => []);
  return name ? path.join(folder, name) : null;
}

/** The fields of the form above as the command's options; those of columns are named after them. */
function optionsOf(asked: URLSearchParams): string[] {
  return [...asked].flatMap(([name, value]) => {
    const [, column] = /^column (.*)/s.exec(name) ?? [];
    if (column !== undefined) return ["--column", `${column}=${value}`];
    return value && ["from", "state", "dates"].includes(name) ? [`--${name}`, value] : [];
  });
}

export default function Import() {
  const { key, name, outcome, refusal, run, columns, isChanged, state, dates } =
    useLoaderData<typeof loader>();
  const isDone = run?.isOver ?? false;
  return (
    <Page title="Import a list" back={{ to: "/subscribers", name: "Subscribers" }}>
      {refusal && (
        <div className="notice wrong" role="alert">
          {refusal.split("\n").map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      )}
      {run && !isDone && (
        <section>
          <LookAgain everyMs={lookEveryMs} />
          <p role="status">
            <progress
              aria-label="Rows that are done"
              max={run.total || undefined}
              value={run.done}
            />{" "}
            {run.total === 0
              ? "Reading the file…"
              : `${number(run.done)} of ${amount(run.total, "row")}`}
          </p>
          <p>It goes on if you leave this page.</p>
        </section>
      )}
      {!key && (
        <section>
          <h2>The file</h2>
          <p>
            An export as you downloaded it, from Mailchimp, Buttondown, Ghost, Substack and others,
            or a spreadsheet saved as CSV with a column “email”. Nothing is imported yet.
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
      )}
      {outcome && <Result name={name} outcome={outcome} isDone={isDone} />}
      {key && !run && (
        <section>
          <details open={!outcome || isChanged} key={JSON.stringify([columns, state, dates])}>
            <summary>
              <h2>How it is read</h2> {inOneLine(columns)}
            </summary>
            <Form className="stack">
              <ColumnsTable columns={columns} />
              <div className="row">
                <Field label="Rows without a state are">
                  <select name="state" defaultValue={state}>
                    <option value="">as the file says</option>
                    <option value="confirmed">confirmed</option>
                    <option value="unconfirmed">not confirmed yet</option>
                    <option value="unsubscribed">people who left</option>
                  </select>
                </Field>
                <Field label="Dates such as 5/1/2022 begin with">
                  <select name="dates" defaultValue={dates}>
                    <option value="">as the file shows</option>
                    <option value="month-first">the month</option>
                    <option value="day-first">the day</option>
                  </select>
                </Field>
                <button type="submit" className="button">
                  Read it again
                </button>
              </div>
            </Form>
          </details>
        </section>
      )}
      {outcome && !isDone && (
        <section>
          <h2>Import</h2>
          <Form method="post" className="stack">
            <Field
              label="What these people agreed to"
              help="The words beside the form where they signed up, or how else you have their consent. It is kept as proof."
            >
              <textarea name="consent" rows={3} maxLength={2_000} required />
            </Field>
            <Submit intent="import" kind="main">
              Import {amount(outcome.new, "new subscriber")}
            </Submit>
          </Form>
        </section>
      )}
      {isDone && <Link to="/subscribers">See the subscribers</Link>}
    </Page>
  );
}

/** `Email Address: address · OPTIN_TIME: signed up at` */
function inOneLine(columns: Outcome["columns"]): string {
  return Object.entries(columns)
    .flatMap(([name, meaning]) =>
      meaning ? `${name}: ${meanings[meaning as keyof typeof meanings]}` : [],
    )
    .join(" · ");
}

function ColumnsTable({ columns }: Pick<Outcome, "columns">) {
  if (Object.keys(columns).length === 0) return null;
  return (
    <table>
      <thead>
        <tr>
          <th>Column</th>
          <th>Taken for</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(columns).map(([column, meaning]) => (
          <tr key={column}>
            <td>{column}</td>
            <td>
              <select
                name={`column ${column}`}
                aria-label={`${column} is taken for`}
                defaultValue={meaning ?? "none"}
              >
                <option value="none">passed over</option>
                {Object.entries(meanings).map(([value, words]) => (
                  <option key={value} value={value}>
                    {words}
                  </option>
                ))}
              </select>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Result({ name, outcome, isDone }: { name: string; outcome: Outcome; isDone: boolean }) {
  const { from, warnings, invalid, invalidCount } = outcome;
  return (
    <section>
      <h2>{isDone ? "Imported. No mail was sent." : `${name}: ${from}`}</h2>
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
        ).map(([key, words]) => (
          <div key={key} className="pair">
            <dt>{number(outcome[key])}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      {invalid.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>Line</th>
              <th>What is wrong</th>
            </tr>
          </thead>
          <tbody>
            {invalid.slice(0, 200).map(({ line, message }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes.
              <tr key={index}>
                <td>{line}</td>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {invalidCount > 200 && <p>And {invalidCount - 200} more.</p>}
    </section>
  );
}
