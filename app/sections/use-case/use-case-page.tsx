import type { ReactNode } from "react";
import type { UseCase } from "#content/use-case.ts";
import { RoadmapChart } from "../../figures/roadmap-chart.tsx";
import { Breadcrumb } from "../breadcrumb.tsx";
import { ClosingCall } from "../closing-call.tsx";
import { Masthead } from "../masthead.tsx";
import { BeforeAndAfter } from "./before-and-after.tsx";
import { Benefits } from "./benefits.tsx";
import { Example } from "./example.tsx";
import { MeasuredFigures } from "./measured-figures.tsx";
import { Problems } from "./problems.tsx";
import { Today } from "./today.tsx";
import { useCaseCrumbs } from "./use-case-crumbs.ts";
import "./use-case.css";

type UseCasePageProps = {
  useCase: UseCase;
  before: ReactNode;
  after: ReactNode;
  /** The page's own button; the words for it are in `useCase.closing.action`. */
  action: ReactNode;
};

/** What every written use case is made of, in order. */
export function UseCasePage({ useCase, before, after, action }: UseCasePageProps) {
  const { cost, firstNinetyDays, outlook, closing } = useCase;
  return (
    <>
      <Breadcrumb crumbs={useCaseCrumbs(useCase)} />
      <Masthead heading={useCase.heading} lede={useCase.lede} />
      <BeforeAndAfter drawing={useCase.drawing} before={before} after={after} />
      <div className="wrap use-case-intro">
        {useCase.intro.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
      <Today {...useCase.today} />
      <Problems {...useCase.problems} />
      <Benefits {...useCase.benefits} />
      <MeasuredFigures {...useCase.figures} />
      <Example {...useCase.example} />
      <section className="section section-tight">
        <div className="wrap">
          <div className="section-head">
            <h2>{firstNinetyDays.heading}</h2>
            <p>{firstNinetyDays.text}</p>
          </div>
          <RoadmapChart bars={firstNinetyDays.bars} />
        </div>
      </section>
      <section className="section section-tight">
        <div className="wrap two-readings">
          <Reading {...cost} />
          <Reading {...outlook} />
        </div>
      </section>
      <ClosingCall heading={closing.heading} text={closing.text}>
        {action}
      </ClosingCall>
    </>
  );
}

function Reading({ heading, text }: { heading: string; text: readonly string[] }) {
  return (
    <div>
      <h2>{heading}</h2>
      {text.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </div>
  );
}
