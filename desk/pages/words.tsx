import "../words.css";
import { useEffect, useState } from "react";
import { data, Link, useActionData, useLoaderData, useNavigate } from "react-router";
import { closedDays, hours, openHours, torontoHours } from "#content/hours.ts";
import { nameOfNewsletter, ownWords } from "#content/own-words.ts";
import { pageName, sitePages } from "#content/site-pages.ts";
import {
  listSiteWords,
  listWordChanges,
  putBackSiteWord,
  readSiteWords,
  type SaveResult,
  type SiteWord,
  saveSiteWord,
  takeBackSiteWord,
  type WordChange,
} from "#settings/site-words.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { Act, Page, When } from "../ui.tsx";
import { FactForm, filledIn, keyOf, linesOf, pathOf, type WordsAnswer } from "./words-form.tsx";
import { SitePagePreview } from "./words-page.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db, settings } = deskOf(args);
  const facts = await listSiteWords(db);
  const { page } = args.params;
  const word = new URL(args.request.url).searchParams.get("word");
  const paths = new Set([...sitePages.map(({ head }) => head.path), ...facts.map((f) => f.path)]);
  const withWords = [...paths].filter((path) => facts.some((fact) => fact.path === path));
  const pages = withWords.map((path) => {
    const own = facts.filter((fact) => fact.path === path && fact.changedAt !== null);
    const changedAt = own.map((fact) => fact.changedAt ?? "").toSorted();
    const head = sitePages.find((each) => each.head.path === path);
    const name = head ? pageName(head) : "Personal Assistants";
    return {
      key: keyOf(path),
      name,
      path,
      changes: own.length,
      changedAt: changedAt.at(-1) ?? null,
    };
  });
  if (!page) return { pages, shown: null };
  const path = pathOf(facts, page);
  const fact = facts.find(({ name }) => name === word) ?? null;
  if (word && !fact) throw new Response(null, { status: 404 });
  const own = facts.filter((each) => each.path === path);
  const open = ownWords(settings, "hours", hours);
  const setElsewhere = [settings.name, settings.email, settings.phone, settings.street];
  return {
    pages,
    shown: {
      path,
      name: pages.find((each) => each.path === path)?.name ?? path,
      siteUrl: settings.url,
      version: own.map(({ changedAt }) => changedAt).join(),
      unseen: own
        .filter(({ over, label }) => over === undefined || label.includes("search engines"))
        .map(({ name, label, changedAt }) => ({ name, label, changedAt })),
      fact,
      changes: fact ? await listWordChanges(db, fact.name) : [],
      // Made of facts or settings, and so no sentence's element.
      found: [
        ...[openHours(open), torontoHours(open), closedDays(open)]
          .filter(Boolean)
          .map((text) => ({ text, word: "hours" })),
        { text: nameOfNewsletter(settings), word: "newsletter" },
        ...setElsewhere.filter(Boolean).map((text) => ({ text, word: null })),
      ],
    },
  };
}

export async function action(args: PageArgs) {
  const { db, settings, visitor } = deskOf(args);
  const form = await args.request.formData();
  const word = new URL(args.request.url).searchParams.get("word");
  const fact = (await listSiteWords(db)).find(({ name }) => name === word);
  if (!fact) throw new Response(null, { status: 404 });
  const basedOn = String(form.get("basedOn") ?? "") || null;
  const change = { name: fact.name, basedOn, by: visitor.name };
  switch (form.get("intent")) {
    case "save":
      return await answer(
        await saveSiteWord(db, { ...change, value: filledIn(fact, form) }),
        "Saved. The site shows it within seconds.",
      );
    case "take back":
      return await answer(
        await takeBackSiteWord(db, change),
        "The usual words are back; the site shows them within seconds.",
      );
    case "put back":
      return await answer(
        await putBackSiteWord(db, { ...change, at: String(form.get("at")) }),
        "Those words are back; the site shows them within seconds.",
      );
    default:
      return { ok: false, problems: ["Nothing was done."] } satisfies WordsAnswer;
  }

  async function answer(result: SaveResult, said: string) {
    if (result.ok) {
      settings.words = await readSiteWords(db);
      return { ok: true, said } satisfies WordsAnswer;
    }
    if (result.reason === "invalid") return result satisfies WordsAnswer;
    const by = result.by && result.by !== visitor.name ? result.by : "Another window";
    const problems = [
      `${by} has changed these words since. Both are below, and nothing is overwritten: Save puts yours in place of the other.`,
    ];
    const refused: WordsAnswer = { ok: false, problems, current: result.current };
    return data(refused, { status: 409 });
  }
}

export default function Words() {
  const { pages, shown } = useLoaderData<typeof loader>();
  if (shown) return <SitePage shown={shown} />;
  return (
    <Page title="The site's words">
      <p>
        Press a sentence on its page and write your own. It is on the site, in its mails and for
        search engines within seconds, and every earlier wording can be put back.
      </p>
      <ul className="list">
        {pages.map(({ key, name, path, changes, changedAt }) => (
          <li key={key} className={changes > 0 ? "new" : ""}>
            <Link to={`/words/${key}`}>
              <b>{name}</b>
              <span>{path}</span>
              {changes > 0 && (
                <small>
                  {changes} changed, <When at={changedAt} />
                </small>
              )}
            </Link>
          </li>
        ))}
      </ul>
      <p className="empty">
        The terms and the privacy policy are not here: they say what this program does, and what the
        law asks. Let a lawyer and a programmer change them.
      </p>
    </Page>
  );
}

type Shown = NonNullable<Awaited<ReturnType<typeof loader>>["shown"]>;

function SitePage({ shown }: { shown: Shown }) {
  const { path, name, siteUrl, version, unseen, fact, changes, found } = shown;
  const key = keyOf(path);
  const navigate = useNavigate();
  const [typed, setTyped] = useState<FormData | null>(null);
  const [fixed, setFixed] = useState<string | null>(null);
  const answer = useActionData() as WordsAnswer | undefined;
  const toWord = (word: string) => `/words/${key}?word=${encodeURIComponent(word)}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said of the last press is over.
  useEffect(() => setFixed(null), [fact?.name]);

  function press(words: string, pressed: { word: string; field: string } | null) {
    const known = pressed ?? found.find(({ text }) => words.includes(text));
    if (known?.word) {
      navigate(toWord(known.word), {
        state: { field: pressed?.field },
        preventScrollReset: true,
      });
      return;
    }
    const start = words.length > 60 ? `${words.slice(0, 60).trim()}…` : words;
    setFixed(
      known
        ? `“${start}” is set in Settings.`
        : `“${start}” is fixed: the site’s specification sets these words, or they are figures and names that other pages share.`,
    );
  }

  return (
    <Page
      title={name}
      back={{ to: "/words", name: "The site's words" }}
      actions={<a href={siteUrl + path}>See it on the site</a>}
    >
      <div className="site-words">
        <SitePagePreview
          title={`The page “${name}”`}
          src={`/words/${key}/preview`}
          typed={typed}
          version={version}
          chosen={fact?.name ?? null}
          onPress={press}
        />
        <div className="stack" id="words">
          <p role="status" className={fixed ? "notice" : "unseen"}>
            {fixed}
          </p>
          {fact ? (
            <>
              <p>
                <Link to={`/words/${key}`} preventScrollReset>
                  ← Another sentence
                </Link>
              </p>
              <FactForm
                key={fact.name + (fact.changedAt ?? "")}
                fact={fact}
                current={answer?.current}
                onTyped={setTyped}
              />
              {!answer?.current && <History fact={fact} changes={changes} />}
            </>
          ) : (
            <>
              <p>
                Press a sentence on the page. Lists, and what only search engines show, are here.
              </p>
              <ul className="list">
                {unseen.map(({ name, label, changedAt }) => (
                  <li key={name} className={changedAt ? "new" : ""}>
                    <Link to={toWord(name)} state={{ field: "" }} preventScrollReset>
                      <b>{label}</b>
                      {changedAt && <small>changed</small>}
                    </Link>
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      </div>
    </Page>
  );
}

function History({ fact, changes }: { fact: SiteWord; changes: WordChange[] }) {
  const basedOn = fact.changedAt ?? "";
  if (changes.length === 0) return null;
  return (
    <section className="history">
      <h2>History</h2>
      <ol className="ledger">
        {changes.map((change, index) => {
          const [before, after] = [change.before, change.after].map((value) =>
            linesOf(fact, value),
          );
          const isShown = index === 0;
          return (
            <li key={change.at}>
              <p>
                <b>{change.by || "Somebody"}</b>, <When at={change.at} />
              </p>
              <Difference before={before ?? []} after={after ?? []} />
              {isShown ? (
                <small>This is on the site.</small>
              ) : (
                <Act intent="put back" fields={{ basedOn, at: change.at }}>
                  Put this back
                </Act>
              )}
            </li>
          );
        })}
      </ol>
      {fact.changedAt && (
        <Act intent="take back" fields={{ basedOn }}>
          Put the delivered words back
        </Act>
      )}
    </section>
  );
}

function Difference({ before, after }: { before: string[]; after: string[] }) {
  const gone = before.filter((line) => !after.includes(line));
  const come = after.filter((line) => !before.includes(line));
  if (gone.length + come.length === 0) return <p>In another order.</p>;
  return (
    <>
      {gone.map((line) => (
        <p key={`before ${line}`}>
          <span className="unseen">Before: </span>
          <del>{line}</del>
        </p>
      ))}
      {come.map((line) => (
        <p key={`after ${line}`}>
          <span className="unseen">After: </span>
          <ins>{line}</ins>
        </p>
      ))}
    </>
  );
}
