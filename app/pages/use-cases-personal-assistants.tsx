import { personalAssistants } from "#content/use-cases/personal-assistants.ts";
import { Breadcrumb } from "../sections/breadcrumb.tsx";
import { Masthead } from "../sections/masthead.tsx";
import { ComingSoon } from "../sections/personal-assistants/coming-soon.tsx";
import { crumbsOfUseCase } from "../sections/use-case/crumbs-of-use-case.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";
import type { Route } from "./+types/use-cases-personal-assistants";
import "../sections/breadcrumb.css";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ ...personalAssistants.head, noIndex: true }, rootFacts(matches).settings);
}

export default function PersonalAssistantsPage() {
  return (
    <>
      <Breadcrumb crumbs={crumbsOfUseCase(personalAssistants)} />
      <Masthead heading={personalAssistants.heading} lede={personalAssistants.lede} />
      <ComingSoon />
    </>
  );
}
