import { specializedAgents } from "#content/use-cases/specialized-agents.ts";
import type { Route } from "./+types/use-cases-specialized-agents";
import { Masthead } from "../sections/masthead.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(specializedAgents.head, rootFacts(matches).settings);
}

export default function SpecializedAgentsPage() {
  return <Masthead heading={specializedAgents.heading} lede={specializedAgents.lede} />;
}
