import { Link } from "react-router";
import { search } from "#content/pages/search.ts";
import type { HighlightedText, SearchOutcome } from "../../search/search-outcome.ts";
import "./search-results.css";

/** What was found, numbered in order of rank, like the list of sheets in a drawing set. */
export function SearchResults({ outcome }: { outcome: SearchOutcome }) {
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
        <ol className="search-results sheet">
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
    </>
  );
}

function Highlighted({ text }: { text: HighlightedText }) {
  return text.map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places.
    index % 2 === 1 ? <mark key={index}>{part}</mark> : part,
  );
}
