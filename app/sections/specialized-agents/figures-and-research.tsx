import { sources } from "#content/sources.ts";
import type { specializedAgents } from "#content/use-cases/specialized-agents.ts";
import { FigureList } from "../use-case/measured-figures.tsx";

type ResearchProps = Pick<typeof specializedAgents, "figures" | "research">;

/** Our own figures, and under them published ones: what each found, what it leaves open, and where it stands. */
export function FiguresAndResearch({ figures, research: { heading, items } }: ResearchProps) {
  return (
    <section className="section section-tight">
      <div className="wrap research">
        <h2>{figures.heading}</h2>
        <FigureList items={figures.items} />
        <h2>{heading}</h2>
        <ul className="research-list">
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
      </div>
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
