import { privacy } from "#content/pages/privacy.ts";
import { LegalPage } from "../sections/legal/legal-page.tsx";
import { metaOf } from "../seo/page-meta.ts";

export const meta = metaOf(privacy.head);

export default function PrivacyPage() {
  return <LegalPage document={privacy} />;
}
