import { leads } from "#content/use-cases/leads.ts";
import type { Route } from "./+types/use-cases-leads";
import { Masthead } from "../sections/masthead.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(leads.head, rootFacts(matches).settings);
}

export default function LeadsPage() {
  return <Masthead heading={leads.heading} lede={leads.lede} />;
}
