import { search } from "#content/pages/search.ts";
import type { HighlightedText } from "#contracts/ports.ts";
import { searchAddress } from "../../search/search-query.ts";
import type { SearchOutcome } from "../../search/search-site.server.ts";
import { Link } from "../../ui/link.tsx";
import { Pager } from "../../ui/pager.tsx";
import "./search-results.css";

type SearchResultsProps = { outcome: SearchOutcome; query: string };

/** What was found, numbered in order of rank, like the list of sheets in a drawing set. */
export function SearchResults({ outcome, query }: SearchResultsProps) {
  const { before, page, pages } = outcome;
  const addressOf = (other: number) =>
    other >= 1 && other <= pages ? searchAddress(query, other) : null;
  const notes = [
    ...(outcome.hasSomeWordsOnly ? [search.someWords] : []),
    ...(outcome.isPagesOnly ? [search.pagesOnly] : []),
  ];
  return (
    <>
      {notes.map((note) => (
        <p key={note} className="search-note">
          {note}
        </p>
      ))}
      {outcome.results.length > 0 && (
        <ol className="search-results sheet" start={before + 1}>
          {outcome.results.map(({ path, issueLine, title, excerpt }) => (
            <li key={path}>
              <h2>
                <Link to={path}>
                  <Highlighted text={title} />
                </Link>
              </h2>
              <p className="lettering">
                {issueLine ?? (
                  <>
                    {search.page} <span>{path}</span>
                  </>
                )}
              </p>
              <p>
                <Highlighted text={excerpt} />
              </p>
            </li>
          ))}
        </ol>
      )}
      <Pager
        words={search.pages}
        page={page}
        pages={pages}
        before={addressOf(page - 1)}
        after={addressOf(page + 1)}
        reloadDocument
      />
    </>
  );
}

function Highlighted({ text }: { text: HighlightedText }) {
  return text.map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places.
    index % 2 === 1 ? <mark key={index}>{part}</mark> : part,
  );
}
