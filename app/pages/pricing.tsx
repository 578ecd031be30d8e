import { pricing } from "#content/pages/pricing.ts";
import type { Route } from "./+types/pricing";
import { Masthead } from "../sections/masthead.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(pricing.head, rootFacts(matches).settings);
}

export default function PricingPage() {
  return <Masthead heading={pricing.heading} lede={pricing.lede} />;
}
