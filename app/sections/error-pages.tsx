import { useLocation } from "react-router";
import { failure, notFound } from "#content/pages/not-found.ts";
import { navigation } from "#content/site.ts";
import { InlineScript } from "../alive/inline-script.tsx";
import { MissedMark, SearchForm } from "../search/search-form.tsx";
import { useNamed } from "../site-facts.ts";
import { Link, LinkItems } from "../ui/link.tsx";

/** Logs the missing path (specification, section 2). */
export function NotFound() {
  const { code, heading, text, home, elsewhere } = useNamed(notFound);
  return (
    <section className="wrap not-found">
      <InlineScript code='console.error("404: no page at",location.pathname)' />
      <div className="sheet lifted">
        <div className="hero">
          <h1>
            {code} {heading}
          </h1>
          <MissedMark />
        </div>
        <div className="cells ways-on" data-n="3">
          <div>
            <p>{text}</p>
            <p className="actions">
              <Link className="button button-primary" to={home.path}>
                {home.label}
              </Link>
            </p>
          </div>
          <div>
            <SearchForm isAside />
          </div>
          <div>
            <h2 className="small-title">{elsewhere.heading}</h2>
            <ul className="rows linked below">
              <LinkItems links={elsewhere.links} />
            </ul>
          </div>
        </div>
      </div>
    </section>
  );
}

/**
 * Uses nothing that may have failed. The form works without scripts and keeps the query, which GET
 * would drop.
 */
export function Failure({ name = "Home" }: { name?: string }) {
  const asked = [...new URLSearchParams(useLocation().search)];
  return (
    <>
      <title>{failure.title}</title>
      <header className="site-header">
        <div className="wrap site-header-bar">
          <a className="site-name" href="/">
            {name}
          </a>
        </div>
      </header>
      <main id="main" className="wrap section masthead">
        <h1>{failure.heading}</h1>
        <p className="lede">{failure.text}</p>
        <form className="actions">
          {asked.map(([name, value], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a name may be there more than once, and none changes places.
            <input key={index} type="hidden" name={name} value={value} />
          ))}
          <button type="submit" className="button button-primary">
            {failure.retry}
          </button>
        </form>
        <nav className="actions cluster" aria-label="Main">
          {navigation.map(({ label, path }) => (
            <a key={path} href={path}>
              {label}
            </a>
          ))}
        </nav>
      </main>
    </>
  );
}
