import { useCases } from "#content/pages/use-cases.ts";
import type { Route } from "./+types/use-cases";
import { Masthead } from "../sections/masthead.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(useCases.head, rootFacts(matches).settings);
}

export default function UseCasesPage() {
  return <Masthead heading={useCases.heading} lede={useCases.lede} />;
}
