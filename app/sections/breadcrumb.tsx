import { Link } from "../ui/link.tsx";

export type Crumb = { name: string; path: string };

/**
 * The last crumb is the page itself. Pages import `breadcrumb.css` themselves: imported here, it would load with every
 * page.
 */
export function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav className="wrap breadcrumb" aria-label="Breadcrumb">
      <ol>
        {crumbs.map(({ name, path }, index) => (
          <li key={path}>
            {index === crumbs.length - 1 ? (
              <span aria-current="page">{name}</span>
            ) : (
              <Link to={path}>{name}</Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
