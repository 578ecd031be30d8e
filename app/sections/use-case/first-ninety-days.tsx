import type { UseCase } from "#content/use-case.ts";
import { RoadmapChart } from "../../drawings/roadmap-chart.tsx";

export function FirstNinetyDays({ heading, text, bars }: NonNullable<UseCase["firstNinetyDays"]>) {
  return (
    <section className="section section-tight">
      <div className="wrap">
        <div className="section-head">
          <h2>{heading}</h2>
          <p>{text}</p>
        </div>
        <RoadmapChart bars={bars} />
      </div>
    </section>
  );
}
