import { emailManagement } from "#content/use-cases/email-management.ts";
import type { Route } from "./+types/use-cases-email-management";
import { Masthead } from "../sections/masthead.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(emailManagement.head, rootFacts(matches).settings);
}

export default function EmailManagementPage() {
  return <Masthead heading={emailManagement.heading} lede={emailManagement.lede} />;
}
