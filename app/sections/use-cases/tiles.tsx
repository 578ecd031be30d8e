import { Link } from "react-router";
import { useCases } from "#content/pages/use-cases.ts";

/** The seven use cases as the index of a drawing set. */
export function Tiles() {
  return (
    <section className="wrap tiles-section" aria-label="Use cases">
      <ul className="tiles">
        {useCases.tiles.map(({ path, title, text, figure }) => (
          <li key={path}>
            <h2>
              <Link className="tile-link" to={path}>
                {title}
              </Link>
            </h2>
            <p>{text}</p>
            <p className="lettering">{figure}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
