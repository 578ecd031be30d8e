import { useCallback, useEffect, useRef } from "react";
import { Link, useLoaderData, useNavigate } from "react-router";
import { pageName, sitePages } from "#content/site-pages.ts";
import { filledIn, listSiteWords, readSiteWords, saveSiteWord } from "#settings/site-words.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { useAskBeforeLeavingForms } from "../leaving.ts";
import { type Answer, Lines, loadFrame, Page } from "../ui.tsx";
import { keyOf, pathOf, type Row, WordForm, wordsIn } from "./words-form.tsx";

export { clientAction, shouldRevalidate } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db, settings } = deskOf(args);
  const facts = await listSiteWords(db);
  const byPath = Map.groupBy(facts, ({ path }) => path);
  const paths = new Set([...sitePages.map(({ head }) => head.path), ...byPath.keys()]);
  const pages = [...paths].flatMap((path) => {
    const head = sitePages.find((each) => each.head.path === path);
    const own = byPath.get(path);
    if (!own) return [];
    const changes = own.filter(({ changedAt }) => changedAt).length;
    const first = own.find(({ over, label }) => over && !label.includes("search engines"));
    return {
      to: `/words/${keyOf(path)}`,
      title: head ? pageName(head) : "Personal Assistants",
      words: wordsIn((first?.value ?? {}) as Row, first?.fields ?? {})[0] ?? "",
      ...(changes > 0 && { state: `${changes} changed`, mark: "good" }),
    };
  });
  if (!args.params.page) return { pages, shown: null };
  const path = pathOf(facts, args.params.page);
  const word = new URL(args.request.url).searchParams.get("word");
  const own = byPath.get(path) ?? [];
  return {
    pages,
    shown: {
      path,
      name: pages.find(({ to }) => to === `/words/${keyOf(path)}`)?.title ?? path,
      siteUrl: settings.url,
      version: own.map(({ changedAt }) => changedAt).join(),
      unseen: own
        .filter(({ over, label }) => over === undefined || label.includes("search engines"))
        .map(({ name, label: title, value, fields, changedAt }) => {
          const rows = [value as Row].flat();
          const words = rows.map((row) => wordsIn(row, fields)[0]).join(" · ");
          const state = changedAt ? { state: "changed", mark: "good" } : {};
          return { to: toWord(name), title, words, ...state };
        }),
      fact: facts.find(({ name }) => name === word) ?? null,
    },
  };
}

export async function action(args: PageArgs): Promise<Answer> {
  const { db, settings } = deskOf(args);
  const form = await args.request.formData();
  const fact = (await listSiteWords(db)).find(({ name }) => name === form.get("word"));
  if (!fact) throw new Response(null, { status: 404 });
  const isBack = form.get("intent") === "take back";
  const saved = await saveSiteWord(db, {
    name: fact.name,
    value: isBack ? null : filledIn(fact, form),
    basedOn: String(form.get("basedOn") ?? "") || null,
  });
  if (!saved.ok) return saved;
  settings.words = await readSiteWords(db);
  const said = isBack ? "The delivered words are back." : "Saved.";
  return { ok: true, said: `${said} The site shows them within seconds.`, isInBar: true };
}

export default function Words() {
  const { pages, shown } = useLoaderData<typeof loader>();
  if (shown) return <SitePage key={shown.path} shown={shown} />;
  const parts = Object.groupBy(pages, ({ to }) =>
    to.startsWith("/words/use-cases-") ? "Use cases" : "Pages",
  );
  return (
    <Page title="The site’s words">
      <p>Press a sentence on its page and write your own: the site has it within seconds.</p>
      <div className="columns">
        {Object.entries(parts).map(([name, of]) => (
          <div key={name} className="stack">
            <h2>{name}</h2>
            <Lines of={of} />
          </div>
        ))}
      </div>
      <p className="empty">The terms and the privacy policy follow the law, and stay.</p>
    </Page>
  );
}

type Shown = NonNullable<Awaited<ReturnType<typeof loader>>["shown"]>;

function SitePage({ shown: { path, name, siteUrl, version, unseen, fact } }: { shown: Shown }) {
  useAskBeforeLeavingForms();
  const navigate = useNavigate();
  const frame = useRef<HTMLIFrameElement>(null);
  const isTyped = useRef(false);
  const chosen = fact?.name ?? null;

  const load = useCallback(() => {
    loadFrame(frame.current, `/words/${keyOf(path)}/preview`);
    isTyped.current = false;
  }, [path]);
  // Only now, so that no page arrives before it is listened to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each version has other words.
  useEffect(load, [load, version]);
  useEffect(() => {
    show(frame.current?.contentDocument, chosen);
    return () => {
      if (isTyped.current) load();
    };
  }, [chosen, load]);

  function attend() {
    const page = frame.current?.contentDocument;
    const press = (event: Event) => {
      event.preventDefault();
      const pressed = (event.target as HTMLElement).closest<HTMLElement>("[data-word]");
      const { word, field } = pressed?.dataset ?? {};
      if (word) navigate(toWord(word), { state: { field }, preventScrollReset: true });
    };
    page?.addEventListener("click", press);
    page?.addEventListener("keydown", (event) => event.key === "Enter" && press(event));
    show(page, chosen);
  }

  function onTyped({ name, defaultValue, value }: HTMLInputElement) {
    isTyped.current = true;
    const parts = `${partsOf(chosen)}[data-field="${name}"]`;
    for (const part of frame.current?.contentDocument?.querySelectorAll(parts) ?? []) {
      const isWhole = part.textContent === defaultValue || part.matches(".typed");
      part.classList.toggle("typed", isWhole);
      if (isWhole) part.textContent = value;
    }
  }

  return (
    <Page
      title={name}
      back={{ to: "/words", name: "The site’s words" }}
      actions={
        <a className="button" href={siteUrl + path}>
          See it on the site
        </a>
      }
    >
      <div className="site-words">
        <iframe ref={frame} className="preview" title={`The page “${name}”`} onLoad={attend} />
        {fact ? (
          <div className="stack">
            <Link to="?" preventScrollReset>
              ← Another sentence
            </Link>
            <WordForm key={fact.name + fact.changedAt} fact={fact} onTyped={onTyped} />
          </div>
        ) : (
          <div className="stack">
            <p>Press a sentence on the page. Lists, and what search engines show, are below.</p>
            <Lines of={unseen} />
          </div>
        )}
      </div>
    </Page>
  );
}

function toWord(name: string): string {
  return `?${new URLSearchParams({ word: name })}`;
}

function partsOf(word: string | null): string {
  return `[data-word="${CSS.escape(word ?? "")}"]`;
}

function show(page: Document | null | undefined, chosen: string | null): void {
  const mark = page?.getElementById("chosen");
  if (!page || !mark) return;
  const one = partsOf(chosen);
  mark.textContent = `${one} { background: #ffe9a8; color: #101a2b; text-decoration: none }`;
  page.querySelector(one)?.scrollIntoView({ block: "nearest" });
}
