import { data } from "react-router";
import { search } from "#content/pages/search.ts";
import { sitePages } from "#content/site-pages.ts";
import { cutAtWord } from "../newsletter/issues.ts";
import { readPage, readQuery } from "../search/search-query.ts";
import { type SearchOutcome, searchSite } from "../search/search-site.server.ts";
import { NoResults } from "../sections/search/no-results.tsx";
import { SearchForm } from "../sections/search/search-form.tsx";
import { SearchResults } from "../sections/search/search-results.tsx";
import { WhereToLook } from "../sections/search/where-to-look.tsx";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import { siteContext } from "../site-services.ts";
import { ChalkLine } from "../ui/chalk-line.tsx";
import "../ui/line-end.css";
import type { Route } from "./+types/search";

const titleMaxLength = 60;

/** Every text makes a page of its own, so none of them is worth keeping. */
const notKept = { "Cache-Control": "no-store" };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const query = readQuery(searchParams);
  const sheets = sitePages.map(({ head: { path, title } }) => ({ path, title }));
  if (query === "") return data({ query, title: null, outcome: null, sheets });
  const outcome = await searchSite(context.get(siteContext), query, readPage(searchParams));
  // Where there is something to read, the list of all pages would only be in the way.
  return data(
    { query, title: titleOfResults(query), outcome, sheets: outcome.total === 0 ? sheets : [] },
    { headers: notKept },
  );
}

/** With as much of the query as a tab or a bookmark shows. */
function titleOfResults(query: string): string {
  const { resultsTitle } = search;
  const room = titleMaxLength - resultsTitle.length - " “”".length;
  return `${resultsTitle} “${cutAtWord(query, room)}”`;
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const title = loaderData?.title ?? search.head.title;
  return pageMeta({ ...search.head, title, noIndex: true }, rootFacts(matches).settings);
}

export default function SearchPage({ loaderData }: Route.ComponentProps) {
  const { query, outcome, sheets } = loaderData;
  return (
    <div className="wrap section masthead">
      <h1>{search.heading}</h1>
      <ChalkLine snap />
      <SearchForm query={query} />
      <p className="lettering search-count" role="status">
        {outcome && countLine(outcome, query)}
      </p>
      {outcome && <SearchResults outcome={outcome} query={query} />}
      {outcome?.total === 0 && <NoResults />}
      {sheets.length > 0 && <WhereToLook sheets={sheets} />}
    </div>
  );
}

function countLine(
  { total, before, results, pages, isAtLeast }: SearchOutcome,
  query: string,
): string {
  const { found, none } = search;
  const quoted = `“${query}”`;
  if (total === 0) return `${none.count} ${quoted}`;
  if (total === 1) return `${found.one} ${quoted}`;
  const shown =
    pages > 1 ? `${before + 1} ${found.to} ${before + results.length} ${found.of} ` : "";
  return `${shown}${isAtLeast ? `${found.atLeast} ` : ""}${total} ${found.many} ${quoted}`;
}
