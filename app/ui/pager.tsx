import { Link } from "./link.tsx";

type PagerProps = {
  words: { label: string; page: string; before: string; after: string };
  /** Counted from 1. */
  page: number;
  pages: number;
  /** Addresses of the neighbouring pages, if any. */
  before: string | null;
  after: string | null;
  reloadDocument?: boolean;
};

/** Renders nothing for a single page. */
export function Pager({ words, page, pages, before, after, reloadDocument = false }: PagerProps) {
  if (pages === 1) return null;
  return (
    <nav className="pager apart" aria-label={words.label}>
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
