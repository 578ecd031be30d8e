import { contentCreation } from "#content/use-cases/content-creation.ts";
import type { Route } from "./+types/use-cases-content-creation";
import { Masthead } from "../sections/masthead.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(contentCreation.head, rootFacts(matches).settings);
}

export default function ContentCreationPage() {
  return <Masthead heading={contentCreation.heading} lede={contentCreation.lede} />;
}
