import { rootFacts } from "../../seo/page-meta.ts";
import { siteContext } from "../../site-services.ts";
import { answerWith } from "../load-issues.server.ts";
import type { Route } from "./+types/newsletter-year";
import { AllIssuesSheet, allIssuesMeta } from "./all-issues-sheet.tsx";
import { loadIssueYear } from "./load-all-issues.server.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { all, status } = await loadIssueYear(context.get(siteContext), params.year);
  return answerWith(all, status);
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return allIssuesMeta(loaderData, rootFacts(matches).settings);
}

export default function IssueYearPage({ loaderData }: Route.ComponentProps) {
  return <AllIssuesSheet all={loaderData} />;
}
