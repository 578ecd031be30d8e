import { sources } from "#content/sources.ts";
import type { specializedAgents } from "#content/use-cases/specialized-agents.ts";

/** Published measurements beside our own figures, each with what it found, what it leaves open, and where it stands. */
export function Research({ heading, text, items }: (typeof specializedAgents)["research"]) {
  return (
    <section className="wrap research">
      <div className="section-head">
        <h2>{heading}</h2>
        <p>{text}</p>
      </div>
      <ul>
        {items.map(({ value, source, found, open }) => (
          <li key={source}>
            <p className="research-value">{value}</p>
            <div>
              <p>{found}</p>
              <p className="research-open">{open}</p>
            </div>
            <p className="research-source">
              <Reference id={source} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Reference({ id }: { id: keyof typeof sources }) {
  const { publisher, title, year, url } = sources[id];
  return (
    <>
      {`${year ? `${publisher}, ${year}` : publisher}: `}
      {url ? (
        <cite>
          <a href={url}>{title}</a>
        </cite>
      ) : (
        <cite>{title}</cite>
      )}
    </>
  );
}
