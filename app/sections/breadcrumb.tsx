import { Link } from "../ui/link.tsx";

export type Crumb = { name: string; path: string };

/**
 * The way from the home page to this one; the last crumb is the page itself. A page that has it imports `breadcrumb.css`:
 * imported here, its styles would come with every page, since its script does.
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
