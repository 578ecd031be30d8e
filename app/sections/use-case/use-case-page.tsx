import type { ReactNode } from "react";
import type { UseCase } from "#content/use-case.ts";
import { Breadcrumb } from "../breadcrumb.tsx";
import { ClosingCall } from "../closing-call.tsx";
import { Masthead } from "../masthead.tsx";
import { BeforeAndAfter } from "./before-and-after.tsx";
import { Benefits } from "./benefits.tsx";
import { Cost } from "./cost.tsx";
import { crumbsOfUseCase } from "./crumbs-of-use-case.ts";
import { Example } from "./example.tsx";
import { FirstNinetyDays } from "./first-ninety-days.tsx";
import { MeasuredFigures } from "./measured-figures.tsx";
import { Outlook } from "./outlook.tsx";
import { Problems } from "./problems.tsx";
import { Today } from "./today.tsx";
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
  const { closing } = useCase;
  return (
    <>
      <Breadcrumb crumbs={crumbsOfUseCase(useCase)} />
      <Masthead heading={useCase.heading} lede={useCase.lede} />
      <BeforeAndAfter drawing={useCase.drawing} before={before} after={after} />
      <div className="wrap use-case-intro">
        {useCase.intro.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
      <Today {...useCase.today} />
      <Problems {...useCase.problems} />
      <Cost {...useCase.cost} />
      <Benefits {...useCase.benefits} />
      <MeasuredFigures {...useCase.figures} />
      <Example {...useCase.example} />
      <FirstNinetyDays {...useCase.firstNinetyDays} />
      <Outlook {...useCase.outlook} />
      <ClosingCall heading={closing.heading} text={closing.text}>
        {action}
      </ClosingCall>
    </>
  );
}
