import { search } from "#content/pages/search.ts";
import { MissedMark } from "../../drawings/missed-mark.tsx";
import { Link } from "../../ui/link.tsx";
import "../../drawings/missed-mark.css";
import "./no-results.css";
import { unbroken } from "../../ui/unbroken.tsx";

export function NoResults() {
  const { heading, text, link } = search.none;
  return (
    <section className="no-results">
      <div>
        <h2>{heading}</h2>
        <p>{unbroken(text)}</p>
        <p>
          <Link to={link.path}>{link.label}</Link>
        </p>
      </div>
      <MissedMark />
    </section>
  );
}
