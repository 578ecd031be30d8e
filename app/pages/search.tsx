import { amount } from "#content/amounts.ts";
import { search } from "#content/pages/search.ts";
import { navigation } from "#content/site.ts";
import { cutAtWord } from "#content/text.ts";
import { MissedMark, SearchForm } from "../search/search-form.tsx";
import type { HighlightedText, SearchOutcome } from "../search/search-site.server.ts";
import { ChalkLine } from "../sections/page-sections.tsx";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import { siteContext } from "../site-services.ts";
import { Link, LinkItems } from "../ui/link.tsx";
import { unbroken } from "../ui/unbroken.tsx";
import type { Route } from "./+types/search";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { query, outcome } = await context
    .get(siteContext)
    .search(new URL(request.url).searchParams);
  const { resultsTitle } = search;
  // A title has at most 60 characters.
  const room = 60 - resultsTitle.length - " “”".length;
  const title = query && `${resultsTitle} “${cutAtWord(query, room)}”`;
  return { query, title, outcome };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const title = loaderData?.title || search.head.title;
  return pageMeta({ ...search.head, title, noIndex: true }, rootFacts(matches).settings);
}

export default function SearchPage({ loaderData }: Route.ComponentProps) {
  const { query, outcome } = loaderData;
  return (
    <div className="wrap section masthead">
      <h1>{search.heading}</h1>
      <ChalkLine />
      <SearchForm query={query} />
      <p className="lettering below" role="status">
        {outcome && countLine(outcome, query)}
      </p>
      {outcome && <SearchResults outcome={outcome} />}
      {outcome?.total === 0 && <NoResults />}
      {!outcome?.total && <WhereToLook />}
    </div>
  );
}

function countLine({ total, results }: SearchOutcome, query: string): string {
  const shown = results.length < total ? `${search.best(results.length)} ` : "";
  return `${shown}${amount(total, "result")} for “${query}”`;
}

function SearchResults({ outcome }: { outcome: SearchOutcome }) {
  return (
    <>
      {outcome.hasSomeWordsOnly && <p className="issue-note">{search.someWords}</p>}
      {outcome.isPagesOnly && <p className="issue-note">{search.pagesOnly}</p>}
      {outcome.results.length > 0 && (
        <ol className="search-results sheet cells below">
          {outcome.results.map(({ path, issueLine, title, excerpt }) => (
            <li className="lead" key={path}>
              <div>
                <h2 className="small-title">
                  <Link to={path}>
                    <Highlighted text={title} />
                  </Link>
                </h2>
                <p className="lettering">
                  {issueLine ?? (path.startsWith("/use-cases/") ? search.useCase : search.page)}
                </p>
              </div>
              <p>
                <Highlighted text={excerpt} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function Highlighted({ text }: { text: HighlightedText }) {
  return text.map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places.
    index % 2 === 1 ? <mark key={index}>{part}</mark> : part,
  );
}

function NoResults() {
  const { heading, text, link } = search.none;
  return (
    <section className="below split centred">
      <div>
        <h2 className="title">{heading}</h2>
        <p>{unbroken(text)}</p>
        <p>
          <Link to={link.path}>{link.label}</Link>
        </p>
      </div>
      <MissedMark />
    </section>
  );
}

function WhereToLook() {
  return (
    <div className="where-to-look lead">
      <section>
        <h2 className="small-title">{search.suggestions.heading}</h2>
        <ul className="field-row">
          {search.suggestions.items.map((query) => (
            <li key={query}>
              <Link
                className="button"
                to={`${search.head.path}?${new URLSearchParams({ q: query })}`}
              >
                {query}
              </Link>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2 className="small-title">{search.list.heading}</h2>
        <ul className="rows linked">
          <LinkItems links={navigation.filter(({ path }) => path !== "/")} />
        </ul>
      </section>
    </div>
  );
}
