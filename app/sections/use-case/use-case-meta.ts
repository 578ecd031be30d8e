import type { UseCase } from "#content/use-case.ts";
import { breadcrumbStructuredData } from "../../seo/breadcrumb-structured-data.ts";
import { pageMeta } from "../../seo/page-meta.ts";
import { rootFacts } from "../../seo/root-facts.ts";
import { useCaseCrumbs } from "./use-case-crumbs.ts";

/** The head of a use-case page. */
export function useCaseMeta(useCase: UseCase, matches: Parameters<typeof rootFacts>[0]) {
  const { settings } = rootFacts(matches);
  return pageMeta(
    {
      ...useCase.head,
      structuredData: [breadcrumbStructuredData(useCaseCrumbs(useCase), settings.url)],
    },
    settings,
  );
}
