import { terms } from "#content/pages/terms.ts";
import type { Route } from "./+types/terms";
import { Masthead } from "../sections/masthead.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(terms.head, rootFacts(matches).settings);
}

export default function TermsPage() {
  return <Masthead heading={terms.heading} />;
}
