import { data } from "react-router";
import { allIssuesMeta, headingOfYear } from "../newsletter/all-issues-meta.ts";
import { loadIssueYear } from "../newsletter/load-all-issues.server.ts";
import { AllIssuesSheet } from "../sections/newsletter/all-issues-sheet.tsx";
import { rootFacts } from "../seo/root-facts.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/newsletter-year";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { all, status } = await loadIssueYear(context.get(siteContext), params.year);
  return data(all, status === 200 ? 200 : { status, headers: { "Cache-Control": "no-store" } });
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return allIssuesMeta(loaderData, rootFacts(matches).settings);
}

export default function IssueYearPage({ loaderData }: Route.ComponentProps) {
  return <AllIssuesSheet all={loaderData} heading={headingOfYear(loaderData)} />;
}
