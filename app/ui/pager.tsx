import { Link } from "./link.tsx";
import { OwnStyles } from "./own-styles.tsx";
import styles from "./pager.css?url";

type PagerProps = {
  words: { label: string; page: string; before: string; after: string };
  /** From 1. */
  page: number;
  pages: number;
  /** Addresses of the pages beside this one; null where there is none. */
  before: string | null;
  after: string | null;
  /** Whether each page is a document of its own. */
  reloadDocument?: boolean;
};

/** The way through a list of several pages; nothing where there is one. */
export function Pager({ words, page, pages, before, after, reloadDocument = false }: PagerProps) {
  if (pages === 1) return null;
  return (
    <nav className="pager" aria-label={words.label}>
      <OwnStyles href={styles} />
      {before && (
        <Link to={before} rel="prev" reloadDocument={reloadDocument}>
          {words.before}
        </Link>
      )}
      <span className="lettering">
        {words.page} {page} / {pages}
      </span>
      {after && (
        <Link to={after} rel="next" reloadDocument={reloadDocument}>
          {words.after}
        </Link>
      )}
    </nav>
  );
}
