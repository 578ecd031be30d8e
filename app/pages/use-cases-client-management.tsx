import { clientManagement } from "#content/use-cases/client-management.ts";
import type { Route } from "./+types/use-cases-client-management";
import { Masthead } from "../sections/masthead.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(clientManagement.head, rootFacts(matches).settings);
}

export default function ClientManagementPage() {
  return <Masthead heading={clientManagement.heading} lede={clientManagement.lede} />;
}
