import { terms } from "#content/pages/terms.ts";
import { LegalPage } from "../sections/legal/legal-page.tsx";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import type { Route } from "./+types/terms";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(terms.head, rootFacts(matches).settings);
}

export default function TermsPage() {
  return <LegalPage document={terms} />;
}
