import { search } from "#content/pages/search.ts";
import { pageName, sitePages } from "#content/site-pages.ts";
import { cutAtWord } from "#content/text.ts";
import { MissedMark, SearchForm } from "../search/search-form.tsx";
import type { HighlightedText, SearchOutcome } from "../search/search-site.server.ts";
import { ChalkLine } from "../sections/page-sections.tsx";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import { siteContext } from "../site-services.ts";
import { Link, LinkItems } from "../ui/link.tsx";
import { unbroken } from "../ui/unbroken.tsx";
import type { Route } from "./+types/search";

const titleMaxLength = 60;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { query, outcome } = await context
    .get(siteContext)
    .search(new URL(request.url).searchParams);
  const title = query && titleOfResults(query);
  const listed = outcome === null || outcome.total === 0 ? sitePages : [];
  const sheets = listed.map((page) => ({ path: page.head.path, label: pageName(page) }));
  return { query, title, outcome, sheets };
}

function titleOfResults(query: string): string {
  const { resultsTitle } = search;
  const room = titleMaxLength - resultsTitle.length - " “”".length;
  return `${resultsTitle} “${cutAtWord(query, room)}”`;
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const title = loaderData?.title || search.head.title;
  return pageMeta({ ...search.head, title, noIndex: true }, rootFacts(matches).settings);
}

export default function SearchPage({ loaderData }: Route.ComponentProps) {
  const { query, outcome, sheets } = loaderData;
  return (
    <div className="wrap section masthead">
      <h1>{search.heading}</h1>
      <ChalkLine />
      <SearchForm query={query} />
      <p className="lettering below" role="status">
        {outcome && countLine(outcome, query)}
      </p>
      {outcome && <SearchResults outcome={outcome} query={query} />}
      {outcome?.total === 0 && <NoResults />}
      {sheets.length > 0 && <WhereToLook sheets={sheets} />}
    </div>
  );
}

function searchAddress(query: string, page = 1): string {
  const params = new URLSearchParams({ q: query });
  if (page > 1) params.set("page", String(page));
  return `${search.head.path}?${params}`;
}

function countLine({ total, before, results, pages }: SearchOutcome, query: string): string {
  const { found, none } = search;
  const quoted = `“${query}”`;
  if (total === 0) return `${none.count} ${quoted}`;
  if (total === 1) return `${found.one} ${quoted}`;
  const shown =
    pages > 1 ? `${before + 1} ${found.to} ${before + results.length} ${found.of} ` : "";
  return `${shown}${total} ${found.many} ${quoted}`;
}

function SearchResults({ outcome, query }: { outcome: SearchOutcome; query: string }) {
  const { before, page, pages } = outcome;
  const notes = [
    ...(outcome.hasSomeWordsOnly ? [search.someWords] : []),
    ...(outcome.isPagesOnly ? [search.pagesOnly] : []),
  ];
  return (
    <>
      {notes.map((note) => (
        <p key={note} className="issue-note">
          {note}
        </p>
      ))}
      {outcome.results.length > 0 && (
        <ol className="search-results sheet cells below" start={before + 1}>
          {outcome.results.map(({ path, issueLine, title, excerpt }) => (
            <li key={path}>
              <h2 className="small-title">
                <Link to={path}>
                  <Highlighted text={title} />
                </Link>
              </h2>
              <p className="lettering">
                {issueLine ?? (path.startsWith("/use-cases/") ? search.useCase : search.page)}
              </p>
              <p>
                <Highlighted text={excerpt} />
              </p>
            </li>
          ))}
        </ol>
      )}
      {pages > 1 && (
        <nav className="pager apart" aria-label={search.pages.label}>
          {page > 1 && (
            <Link to={searchAddress(query, page - 1)} rel="prev">
              {search.pages.before}
            </Link>
          )}
          <span className="lettering">
            {search.pages.page} {page} / {pages}
          </span>
          {page < pages && (
            <Link to={searchAddress(query, page + 1)} rel="next">
              {search.pages.after}
            </Link>
          )}
        </nav>
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
    <section className="no-results split">
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

function WhereToLook({ sheets }: { sheets: readonly { path: string; label: string }[] }) {
  return (
    <div className="where-to-look lead">
      <section>
        <h2 className="small-title">{search.suggestions.heading}</h2>
        <ul className="cluster below">
          {search.suggestions.items.map((query) => (
            <li key={query}>
              <Link className="button" to={searchAddress(query)}>
                {query}
              </Link>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2 className="small-title">{search.list.heading}</h2>
        <ul className="sheet-list rows linked columns">
          <LinkItems links={sheets} />
        </ul>
      </section>
    </div>
  );
}
