import { privacy } from "#content/pages/privacy.ts";
import { privacyWithAnalytics } from "#content/pages/privacy-with-analytics.ts";
import { LegalPage } from "../sections/legal/legal-page.tsx";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import { useSiteFacts } from "../site-facts.ts";
import type { Route } from "./+types/privacy";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(privacy.head, rootFacts(matches).settings);
}

export default function PrivacyPage() {
  const { analytics } = useSiteFacts().settings;
  return <LegalPage document={analytics ? privacyWithAnalytics(analytics.kind) : privacy} />;
}
