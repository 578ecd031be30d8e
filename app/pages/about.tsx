import { about } from "#content/pages/about.ts";
import type { Route } from "./+types/about";
import { Masthead } from "../sections/masthead.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(about.head, rootFacts(matches).settings);
}

export default function AboutPage() {
  return <Masthead heading={about.heading} lede={about.lede} />;
}
