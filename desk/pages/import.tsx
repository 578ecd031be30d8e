import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Form, Link, redirect, useLoaderData } from "react-router";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { type Answer, amount, Field, Page, Submit, useLookAgain } from "../ui.tsx";

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
type Refusal = { error: { message: string } };

/** Imports that this desk runs or has run, by the key of their file. */
const runs = new Map<string, { done: Outcome | Refusal | null }>();

const lookEveryMs = 1_000;

export async function loader(args: PageArgs) {
  const { config, runCommand } = deskOf(args);
  const { key } = args.params;
  const empty = {
    key: null,
    name: "",
    outcome: null,
    refusal: null,
    isRunning: false,
    isDone: false,
  };
  if (!key) return empty;
  const run = runs.get(key);
  if (run) {
    const { done } = run;
    const refusal = done && "error" in done ? done.error.message : null;
    const outcome = done && "from" in done ? done : null;
    return { key, name: "", outcome, refusal, isRunning: done === null, isDone: done !== null };
  }
  const file = await findUpload(folderOf(config.dataDir, key));
  if (!file) return { ...empty, refusal: "That file was imported or taken away. Choose it again." };
  const chosen = optionsOf(new URL(args.request.url).searchParams);
  const { json } = await runCommand("subscribers", "import", file, "--dry-run", ...chosen);
  const read = json as Outcome | Refusal;
  const name = path.basename(file);
  if ("error" in read) return { ...empty, key, name, refusal: read.error.message };
  return { ...empty, key, name, outcome: read };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const { config, runCommand, reportError } = deskOf(args);
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
    const run: { done: Outcome | Refusal | null } = { done: null };
    runs.set(key, run);
    const chosen = optionsOf(new URL(args.request.url).searchParams);
    void runCommand("subscribers", "import", file, "--consent", consent, ...chosen)
      .then(({ json }) => {
        run.done = json as Outcome | Refusal;
      })
      .catch((error) => {
        reportError(error);
        run.done = {
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

const choices = ["from", "state", "dates"] as const;

function optionsOf(asked: URLSearchParams): string[] {
  return choices.flatMap((name) => {
    const value = asked.get(name);
    return value ? [`--${name}`, value] : [];
  });
}

export default function Import() {
  const { key, name, outcome, refusal, isRunning, isDone } = useLoaderData<typeof loader>();
  useLookAgain(isRunning, lookEveryMs);
  return (
    <Page title="Import a list" back={{ to: "/subscribers", name: "Subscribers" }}>
      {refusal && (
        <div className="notice wrong" role="alert">
          {refusal.split("\n").map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      )}
      {isRunning && (
        <p role="status">
          <progress aria-label="Import" /> Importing. It goes on if you leave this page.
        </p>
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
      {key && !isRunning && !isDone && (
        <section>
          <h2>How it is read</h2>
          <Form className="row">
            <Field label="Rows without a state are">
              <select name="state" defaultValue="">
                <option value="">as the file says</option>
                <option value="confirmed">confirmed</option>
                <option value="unconfirmed">not confirmed yet</option>
                <option value="unsubscribed">people who left</option>
              </select>
            </Field>
            <Field label="Dates such as 5/1/2022 begin with">
              <select name="dates" defaultValue="">
                <option value="">as the file shows</option>
                <option value="month-first">the month</option>
                <option value="day-first">the day</option>
              </select>
            </Field>
            <button type="submit" className="button">
              Read it again
            </button>
          </Form>
        </section>
      )}
      {outcome && <Result name={name} outcome={outcome} isDone={isDone} />}
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

function Result({ name, outcome, isDone }: { name: string; outcome: Outcome; isDone: boolean }) {
  const { columns, from, warnings, invalid, invalidCount } = outcome;
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
            <dt>{outcome[key].toLocaleString("en-CA")}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      {!isDone && (
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
                <td>{meaning ?? "passed over"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
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
