import type { UseCase } from "#content/use-case.ts";
import { unbroken } from "../../ui/unbroken.tsx";
import { Tangle } from "./tangle.tsx";

type TodayProps = UseCase["today"] & {
  /** What the day is written on, by the page's own styles. */
  form?: string;
};

/** The day as it runs now, by the clock. The page's line takes the way that the work takes. */
export function Today({ heading, entries, form = "" }: TodayProps) {
  return (
    <section className={`section section-tight today ${form}`}>
      <div className="wrap beside">
        <h2>{unbroken(heading)}</h2>
        <Tangle />
        <DayLog entries={entries} />
      </div>
    </section>
  );
}

export function DayLog({ entries }: Pick<UseCase["today"], "entries">) {
  return (
    <ol className="log">
      {entries.map(({ when, what }) => (
        <li key={when}>
          <span className="lettering">{when}</span>
          <p>{what}</p>
        </li>
      ))}
    </ol>
  );
}
