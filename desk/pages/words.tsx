import type { ReactNode } from "react";
import { Form, Link, useActionData, useLoaderData } from "react-router";
import { weekdays } from "#content/hours.ts";
import type { WordField } from "#content/site-words.ts";
import {
  checkSiteWord,
  listSiteWords,
  readSiteWords,
  type SiteWord,
  saveSiteWord,
  takeBackSiteWord,
} from "#operator/site-words.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { Act, type Answer, Field, Page, Submit, When } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

type Row = Record<string, string | string[] | undefined>;

export async function loader(args: PageArgs) {
  const { db, settings } = deskOf(args);
  const facts = await listSiteWords(db);
  const { name } = args.params;
  const fact = facts.find((each) => each.name === name) ?? null;
  if (name && !fact) throw new Response(null, { status: 404 });
  return { facts, fact, siteUrl: settings.url };
}

type WordsAnswer = Answer & { preview?: string };

export async function action(args: PageArgs): Promise<WordsAnswer> {
  const { db, settings, makeSitePage } = deskOf(args);
  const form = await args.request.formData();
  const fact = (await listSiteWords(db)).find(({ name }) => name === args.params.name);
  if (!fact) throw new Response(null, { status: 404 });
  if (form.get("intent") === "take back") {
    await takeBackSiteWord(db, fact.name);
    settings.words = await readSiteWords(db);
    return { ok: true, said: "The usual words are back; the site shows them within seconds." };
  }
  const value = filledIn(fact, form);
  if (form.get("intent") === "preview") {
    const checked = checkSiteWord(fact.name, value);
    if (!checked.ok) return checked;
    const words = { ...(await readSiteWords(db)), [fact.name]: checked.value };
    const preview = await makeSitePage(fact.path, words);
    return { ok: true, said: "This is how the page would look. Nothing is saved yet.", preview };
  }
  const saved = await saveSiteWord(db, fact.name, value);
  if (!saved.ok) return saved;
  settings.words = await readSiteWords(db);
  return { ok: true, said: "Saved. The site shows it within seconds." };
}

/** What was filled in. A row of a list that may be shorter is left out where nothing is in it. */
function filledIn({ fields, rows }: SiteWord, form: FormData): unknown {
  const rowAt = (index: number): Row =>
    Object.fromEntries(
      Object.entries(fields).map(([name, { kind }]) => {
        const key = `${index}.${name}`;
        return [name, kind === "days" ? form.getAll(key).map(String) : String(form.get(key) ?? "")];
      }),
    );
  if (!rows) return rowAt(0);
  const all = Array.from({ length: rows.max }, (_, index) => rowAt(index));
  const isFilled = (row: Row) => Object.values(row).some((value) => String(value).trim() !== "");
  return rows.min === rows.max ? all : all.filter(isFilled);
}

export default function Words() {
  const { facts, fact, siteUrl } = useLoaderData<typeof loader>();
  if (fact) return <FactForm key={fact.name} fact={fact} siteUrl={siteUrl} />;
  return (
    <Page title="The site's words">
      <p>
        What you change here is on the site, in its mails and for search engines within seconds, and
        one press takes it back.
      </p>
      <ul className="list">
        {facts.map(({ name, label, sentence, changedAt }) => (
          <li key={name} className={changedAt ? "new" : ""}>
            <Link to={`/words/${name}`}>
              <b>{label}</b>
              <span>{sentence}</span>
              {changedAt ? <When at={changedAt} /> : <small>as delivered</small>}
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  );
}

function FactForm({ fact, siteUrl }: { fact: SiteWord; siteUrl: string }) {
  const { label, sentence, path, changedAt, rows } = fact;
  const answer = useActionData() as WordsAnswer | undefined;
  const preview = answer?.ok ? answer.preview : undefined;
  return (
    <Page
      title={label}
      back={{ to: "/words", name: "The site's words" }}
      actions={<a href={siteUrl + path}>See it on the site</a>}
    >
      <p>{sentence}</p>
      <p>
        {changedAt ? (
          <>
            Changed <When at={changedAt} />.
          </>
        ) : (
          "These are the words that the site came with."
        )}
      </p>
      {/* Filled in anew after each change, and never under the hands of who writes. */}
      <Form method="post" className="stack" key={changedAt ?? "usual"}>
        <Rows fact={fact} />
        {rows && rows.min < rows.max && (
          <p>
            A {rows.name.toLowerCase()} with every field empty is left out; {rows.min} to {rows.max}{" "}
            are possible.
          </p>
        )}
        <div className="actions">
          <Submit intent="save" kind="main">
            Save
          </Submit>
          <Submit intent="preview">Preview</Submit>
        </div>
      </Form>
      {changedAt && (
        <Act intent="take back" kind="danger">
          Take the change back
        </Act>
      )}
      {preview && (
        // No scripts; the desk's own origin, so that styles come with the session.
        <iframe className="preview" title="Preview" sandbox="allow-same-origin" srcDoc={preview} />
      )}
    </Page>
  );
}

function Rows({ fact: { fields, rows, value } }: { fact: SiteWord }) {
  const filled = (rows ? value : [value]) as Row[];
  const isOpen = rows && rows.min < rows.max && filled.length < rows.max;
  const shown = isOpen ? [...filled, {}] : filled;
  return shown.map((row, index) => {
    const inputs = Object.entries(fields).map(([name, field]) => (
      <Input
        key={name}
        name={`${index}.${name}`}
        field={field}
        value={row[name] ?? ""}
        isRequired={!field.isOptional && index < filled.length && !isOpen}
      />
    ));
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: rows stay in their order.
      <Group key={index} name={rows && `${rows.name} ${index + 1}`}>
        {inputs}
      </Group>
    );
  });
}

function Group({ name, children }: { name: string | undefined; children: ReactNode }) {
  if (!name) return children;
  return (
    <fieldset>
      <legend>{name}</legend>
      {children}
    </fieldset>
  );
}

type InputProps = {
  name: string;
  field: WordField;
  value: string | string[];
  isRequired: boolean;
};

function Input({ name, field, value, isRequired }: InputProps) {
  const { label, kind, max, isOptional } = field;
  if (kind === "days") {
    return (
      <fieldset className="days">
        <legend>{label}</legend>
        {weekdays.map((day) => (
          <label key={day}>
            <input type="checkbox" name={name} value={day} defaultChecked={value.includes(day)} />
            {day}
          </label>
        ))}
      </fieldset>
    );
  }
  const shared = { name, defaultValue: String(value), required: isRequired, maxLength: max };
  const help = max ? `At most ${max} characters${isOptional ? "; may be empty" : ""}.` : undefined;
  return (
    <Field label={label} help={help}>
      {kind === "lines" ? (
        <textarea {...shared} rows={4} />
      ) : (
        <input {...shared} type={kind === "time" ? "time" : "text"} />
      )}
    </Field>
  );
}
