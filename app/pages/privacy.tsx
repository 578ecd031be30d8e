import { privacy } from "#content/pages/privacy.ts";
import { LegalPage } from "../sections/legal/legal-page.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";
import type { Route } from "./+types/privacy";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(privacy.head, rootFacts(matches).settings);
}

export default function PrivacyPage() {
  return <LegalPage document={privacy} />;
}
