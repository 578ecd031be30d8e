import { search } from "#content/pages/search.ts";
import { searchAddress } from "../../search/search-query.ts";
import { Link } from "../../ui/link.tsx";
import "./where-to-look.css";

type ListedSheet = { path: string; title: string };

/** For somebody who has typed nothing yet, or nothing that we have: what others look for, and every page. */
export function WhereToLook({ sheets }: { sheets: readonly ListedSheet[] }) {
  return (
    <div className="where-to-look">
      <section>
        <h2>{search.suggestions.heading}</h2>
        <ul className="search-suggestions">
          {search.suggestions.items.map((query) => (
            <li key={query}>
              <Link className="button" to={searchAddress(query)} reloadDocument>
                {query}
              </Link>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>{search.list.heading}</h2>
        <ul className="sheet-list">
          {sheets.map(({ path, title }) => (
            <li key={path}>
              <Link to={path}>{title}</Link>
              <span className="lettering">{path}</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
