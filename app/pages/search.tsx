import { amount } from "#content/amounts.ts";
import { search } from "#content/pages/search.ts";
import { useCases } from "#content/pages/use-cases.ts";
import { footer } from "#content/site.ts";
import { sheetNumber } from "#content/site-pages.ts";
import { cutAtWord } from "#content/text.ts";
import { Thumbnail } from "../drawings/thumbnail.tsx";
import type { ListedIssue } from "../newsletter/issues.ts";
import { listed } from "../newsletter/load-issues.server.ts";
import { IssueLedger } from "../newsletter/paper.tsx";
import { MissedMark, SearchForm } from "../search/search-form.tsx";
import type { HighlightedText, SearchOutcome } from "../search/search-site.server.ts";
import { ChalkLine } from "../sections/page-sections.tsx";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import { siteContext } from "../site-services.ts";
import { Link } from "../ui/link.tsx";
import { unbroken } from "../ui/unbroken.tsx";
import type { Route } from "./+types/search";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { archive, search: find } = context.get(siteContext);
  const { query, outcome } = await find(new URL(request.url).searchParams);
  const { resultsTitle } = search;
  // A title has at most 60 characters.
  const room = 60 - resultsTitle.length - " “”".length;
  const title = query && `${resultsTitle} “${cutAtWord(query, room)}”`;
  // Without issues the pages are offered alone.
  const heads = outcome?.total ? [] : await archive.heads().catch(() => []);
  return { query, title, outcome, latest: heads.slice(0, 5).map(listed) };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const title = loaderData?.title || search.head.title;
  return pageMeta({ ...search.head, title, noIndex: true }, rootFacts(matches).settings);
}

export default function SearchPage({ loaderData }: Route.ComponentProps) {
  const { query, outcome, latest } = loaderData;
  return (
    <>
      <div className="wrap masthead">
        <h1>{search.heading}</h1>
        <ChalkLine />
        <div className="split below">
          <div>
            <SearchForm query={query} />
            <p className="small-title wide below" id="results" role="status" tabIndex={-1}>
              {outcome && countLine(outcome, query)}
            </p>
          </div>
          {!outcome?.total && <Suggestions />}
        </div>
      </div>
      {outcome?.total === 0 && <NoResults />}
      <div className="wrap section tight">
        {outcome?.total ? <SearchResults outcome={outcome} /> : <WhereToLook latest={latest} />}
      </div>
    </>
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
      <div className="register">
        <ol className="search-results sheet lifted rows linked">
          {outcome.results.map(({ path, issueLine, title, excerpt }) => (
            <li key={path}>
              <span className="lettering">
                {issueLine ?? `${footer.sheet.number} ${sheetNumber(path)}`}
              </span>
              <div>
                <h2 className="small-title">
                  <Link to={path}>
                    <Highlighted text={title} />
                  </Link>
                </h2>
                <p>
                  <Highlighted text={excerpt} />
                </p>
              </div>
            </li>
          ))}
        </ol>
      </div>
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
    <section className="wrap section not-found">
      <div className="sheet lifted">
        <div className="hero">
          <h2>{heading}</h2>
          <MissedMark />
        </div>
        <div className="cells">
          <div className="apart">
            <p>{unbroken(text)}</p>
            <Link className="button" to={link.path}>
              {link.label}
            </Link>
          </div>
        </div>
      </div>
    </section>
  );
}

function Suggestions() {
  const { heading, items } = search.suggestions;
  return (
    <section>
      <h2 className="small-title">{heading}</h2>
      <ul className="field-row">
        {items.map((query) => (
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
  );
}

/** The index of a drawing set. */
function WhereToLook({ latest }: { latest: readonly ListedIssue[] }) {
  const { list, issues } = search;
  return (
    <div className="sheet lifted where-to-look">
      <section className="cells">
        <div>
          <h2 className="title">{search.useCases}</h2>
          <ul className="index-strip linked below">
            {useCases.tiles.map(({ path, title }) => (
              <li key={path}>
                <Thumbnail of={path} />
                <Link to={path}>{title}</Link>
              </li>
            ))}
          </ul>
        </div>
      </section>
      <div className="cells" data-n={latest.length > 0 ? 2 : 1}>
        <section>
          <h2 className="title">{list.heading}</h2>
          <ul className="rows keyed linked below">
            {list.pages.map(({ path, label, text }) => (
              <li key={path}>
                <h3>
                  <Link to={path}>{label}</Link>
                </h3>
                <p className="small">{text}</p>
              </li>
            ))}
          </ul>
        </section>
        {latest.length > 0 && (
          <section>
            <h2 className="title">{issues}</h2>
            <IssueLedger issues={latest} />
          </section>
        )}
      </div>
    </div>
  );
}
