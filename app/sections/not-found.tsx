import { Link } from "react-router";
import { notFound } from "#content/pages/not-found.ts";
import { MissedMark } from "../figures/missed-mark.tsx";
import { OwnStyles } from "../ui/own-styles.tsx";
import styles from "./not-found.css?url";
import { SearchForm } from "./search/search-form.tsx";

export function NotFound() {
  const { code, heading, text, home, elsewhere } = notFound;
  return (
    <section className="wrap not-found">
      <OwnStyles href={styles} />
      <div>
        <h1>
          {code} {heading}
        </h1>
        <p className="lede mt-5 max-w-[46ch]">{text}</p>
        <p className="mt-8">
          <Link className="button button-primary" to={home.path}>
            {home.label}
          </Link>
        </p>
        <div className="mt-10">
          <SearchForm isAside />
        </div>
        <h2>{elsewhere.heading}</h2>
        <ul>
          {elsewhere.links.map(({ label, path }) => (
            <li key={path}>
              <Link to={path}>{label}</Link>
            </li>
          ))}
        </ul>
      </div>
      <MissedMark />
    </section>
  );
}
