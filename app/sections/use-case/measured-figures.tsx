import { type SourceId, sources } from "#content/sources.ts";
import type { UseCase } from "#content/use-case.ts";
import { unbroken } from "../../ui/unbroken.tsx";

type MeasuredFiguresProps = UseCase["figures"] & {
  /** What they are measured on, by the page's own styles. */
  form?: string;
};

/** The figures as measured values, each with its published source where it has one. */
export function MeasuredFigures({ heading, items, form = "" }: MeasuredFiguresProps) {
  return (
    <section className="section section-tight">
      <div className={`wrap ${form}`}>
        <h2>{heading}</h2>
        <FigureList items={items} />
      </div>
    </section>
  );
}

export function FigureList({ items }: Pick<UseCase["figures"], "items">) {
  return (
    <ul className="figures">
      {items.map(({ value, label, source }) => (
        <li key={value + label}>
          <b>{value}</b>
          <p>{unbroken(label)}</p>
          {source && (
            <p className="figure-source">
              <Citation id={source} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function Citation({ id }: { id: SourceId }) {
  const { publisher, title, year, detail, url } = sources[id];
  return (
    <>
      {publisher}, {url ? <a href={url}>“{title}”</a> : `“${title}”`}
      {year && `, ${year}`}: {unbroken(detail)}
    </>
  );
}
