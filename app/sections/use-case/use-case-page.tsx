import type { ReactNode } from "react";
import type { UseCase } from "#content/use-case.ts";
import { Breadcrumb } from "../breadcrumb.tsx";
import { ClosingCall } from "../closing-call.tsx";
import { Masthead } from "../masthead.tsx";
import { BeforeAndAfter } from "./before-and-after.tsx";
import { crumbsOfUseCase } from "./crumbs-of-use-case.ts";
import { Paragraphs } from "./example.tsx";
import "../breadcrumb.css";
import "./use-case.css";

type UseCasePageProps = {
  useCase: UseCase;
  before: ReactNode;
  after: ReactNode;
  /** The page's own button; the words for it are in `useCase.closing.action`. */
  action: ReactNode;
  /** The sections between intro and call, in the form that the page's subject gives them. */
  children: ReactNode;
};

/** What every written use case begins and ends with. */
export function UseCasePage({ useCase, before, after, action, children }: UseCasePageProps) {
  const { closing } = useCase;
  return (
    <>
      <Breadcrumb crumbs={crumbsOfUseCase(useCase)} />
      <Masthead heading={useCase.heading} lede={useCase.lede} />
      <BeforeAndAfter drawing={useCase.drawing} before={before} after={after} />
      <div className="wrap use-case-intro">
        <Paragraphs text={useCase.intro} />
      </div>
      {children}
      <ClosingCall heading={closing.heading} text={closing.text}>
        {action}
      </ClosingCall>
    </>
  );
}
