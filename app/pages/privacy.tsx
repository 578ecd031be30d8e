import { privacy } from "#content/pages/privacy.ts";
import { Masthead } from "../sections/masthead.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";
import type { Route } from "./+types/privacy";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(privacy.head, rootFacts(matches).settings);
}

export default function PrivacyPage() {
  return <Masthead heading={privacy.heading} />;
}
