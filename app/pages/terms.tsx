import { terms } from "#content/pages/terms.ts";
import { LegalPage } from "../sections/legal/legal-page.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";
import type { Route } from "./+types/terms";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(terms.head, rootFacts(matches).settings);
}

export default function TermsPage() {
  return <LegalPage document={terms} />;
}
