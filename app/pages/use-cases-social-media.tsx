import { socialMedia } from "#content/use-cases/social-media.ts";
import type { Route } from "./+types/use-cases-social-media";
import { Masthead } from "../sections/masthead.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(socialMedia.head, rootFacts(matches).settings);
}

export default function SocialMediaPage() {
  return <Masthead heading={socialMedia.heading} lede={socialMedia.lede} />;
}
