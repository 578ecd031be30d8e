import type { ReactNode } from "react";
import { data, Form, Link, useActionData, useLoaderData } from "react-router";
import { weekdays } from "#content/hours.ts";
import type { WordField } from "#content/site-words.ts";
import {
  checkSiteWord,
  listSiteWords,
  readSiteWords,
  type SaveResult,
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

type WordsAnswer = Answer & {
  preview?: string;
  /** Set where another window has changed the fact since; the form keeps what was typed. */
  current?: SiteWord;
};

export async function action(args: PageArgs) {
  const { db, settings, makeSitePage } = deskOf(args);
  const form = await args.request.formData();
  const fact = (await listSiteWords(db)).find(({ name }) => name === args.params.name);
  if (!fact) throw new Response(null, { status: 404 });
  const { name } = fact;
  const basedOn = String(form.get("basedOn") ?? "") || null;
  const value = filledIn(fact, form);
  switch (form.get("intent")) {
    case "take back":
      return await answer(
        await takeBackSiteWord(db, { name, basedOn }),
        "The usual words are back; the site shows them within seconds.",
      );
    case "save":
      return await answer(
        await saveSiteWord(db, { name, value, basedOn }),
        "Saved. The site shows it within seconds.",
      );
    case "preview": {
      const checked = checkSiteWord(name, value);
      if (!checked.ok) return checked satisfies WordsAnswer;
      const words = { ...(await readSiteWords(db)), [name]: checked.value };
      const preview = await makeSitePage(fact.path, words);
      const said = "This is how the page would look. Nothing is saved yet.";
      return { ok: true, said, preview } satisfies WordsAnswer;
    }
    default:
      return { ok: false, problems: ["Nothing was done."] } satisfies WordsAnswer;
  }

  async function answer(result: SaveResult, said: string) {
    if (result.ok) {
      settings.words = await readSiteWords(db);
      return { ok: true, said } satisfies WordsAnswer;
    }
    if (result.reason === "invalid") return result satisfies WordsAnswer;
    const problems = [
      "Another window has changed these words. Its text is below, and yours is still in the form: saving it again replaces the other.",
    ];
    const refused: WordsAnswer = { ok: false, problems, current: result.current };
    // The status keeps the form from being filled in again.
    return data(refused, { status: 409 });
  }
}

/** The form's value. In a list that may be shorter, a row without any words is left out. */
function filledIn({ fields, rows }: SiteWord, form: FormData): unknown {
  const names = Object.keys(fields);
  const rowAt = (index: number): Row => {
    const given = names.map((name) => {
      const key = `${index}.${name}`;
      const isList = fields[name]?.kind === "days";
      return [name, isList ? form.getAll(key).map(String) : String(form.get(key) ?? "")];
    });
    return { ...Object.fromEntries(given), id: String(form.get(`${index}.id`) ?? "") };
  };
  if (!rows) return rowAt(0);
  const all = Array.from({ length: rows.max }, (_, index) => rowAt(index));
  const isFilled = (row: Row) => names.some((name) => String(row[name]).trim() !== "");
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
  const { preview, current } = answer ?? {};
  const basedOn = (current ?? fact).changedAt ?? "";
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
            Last changed: <When at={changedAt} />
          </>
        ) : (
          "These are the words that the site came with."
        )}
      </p>
      {fact.fault && (
        <p role="alert">
          What was saved last can't be shown, so the site has its usual words: {fact.fault}
        </p>
      )}
      {current && (
        <fieldset disabled>
          <legend>The other window's words</legend>
          <Rows fact={current} />
        </fieldset>
      )}
      {/* Filled in again after a change, and not while somebody types. */}
      <Form method="post" className="stack" key={changedAt ?? "usual"}>
        <input type="hidden" name="basedOn" value={basedOn} />
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
        <Act intent="take back" kind="danger" fields={{ basedOn }}>
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
        {rows && <input type="hidden" name={`${index}.id`} value={row.id ?? ""} />}
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
