import { privacy } from "#content/pages/privacy.ts";
import { privacyWithAnalytics } from "#content/pages/privacy-with-analytics.ts";
import { LegalPage } from "../sections/legal/legal-page.tsx";
import { metaOf } from "../seo/page-meta.ts";
import { useSiteFacts } from "../site-facts.ts";

export const meta = metaOf(privacy.head);

export default function PrivacyPage() {
  const { analytics } = useSiteFacts().settings;
  return <LegalPage document={analytics ? privacyWithAnalytics(analytics.kind) : privacy} />;
}
