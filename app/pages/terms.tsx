import { terms } from "#content/pages/terms.ts";
import { LegalPage } from "../sections/legal/legal-page.tsx";
import { metaOf } from "../seo/page-meta.ts";

export const meta = metaOf(terms.head);

export default function TermsPage() {
  return <LegalPage document={terms} />;
}
