import { personalAssistants } from "#content/use-cases/personal-assistants.ts";
import { Masthead } from "../sections/masthead.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";
import type { Route } from "./+types/use-cases-personal-assistants";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ ...personalAssistants.head, noIndex: true }, rootFacts(matches).settings);
}

export default function PersonalAssistantsPage() {
  return <Masthead heading={personalAssistants.heading} lede={personalAssistants.lede} />;
}
