import type { UseCase } from "#content/use-case.ts";
import { ProblemList } from "./problems.tsx";
import { Tangle } from "./tangle.tsx";
import { DayLog } from "./today.tsx";

type TodayAndProblemsProps = Pick<UseCase, "today" | "problems"> & {
  /** What the two stand on, by the page's own styles. */
  form: string;
};

/** The day and what goes wrong in it, side by side, where each of the problems is met in that day. */
export function TodayAndProblems({ today, problems, form }: TodayAndProblemsProps) {
  return (
    <section className="section section-tight today">
      <div className={`wrap ${form}`}>
        <div>
          <h2>{today.heading}</h2>
          <Tangle />
          <DayLog entries={today.entries} />
        </div>
        <div>
          <h2>{problems.heading}</h2>
          <ProblemList items={problems.items} />
        </div>
      </div>
    </section>
  );
}
