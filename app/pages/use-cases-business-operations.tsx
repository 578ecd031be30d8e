import { businessOperations } from "#content/use-cases/business-operations.ts";
import type { Route } from "./+types/use-cases-business-operations";
import { Masthead } from "../sections/masthead.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(businessOperations.head, rootFacts(matches).settings);
}

export default function BusinessOperationsPage() {
  return <Masthead heading={businessOperations.heading} lede={businessOperations.lede} />;
}
