import type { UseCase } from "#content/use-case.ts";
import { breadcrumbStructuredData } from "../../seo/breadcrumb-structured-data.ts";
import { pageMeta } from "../../seo/page-meta.ts";
import { rootFacts } from "../../seo/root-facts.ts";
import { serviceStructuredData } from "../../seo/service-structured-data.ts";
import { crumbsOfUseCase } from "./crumbs-of-use-case.ts";

/** The head of a use-case page. */
export function headOfUseCase(
  useCase: Pick<UseCase, "name" | "head">,
  matches: Parameters<typeof rootFacts>[0],
) {
  const { settings } = rootFacts(matches);
  return pageMeta(
    {
      ...useCase.head,
      structuredData: [
        serviceStructuredData(
          { name: useCase.head.title, description: useCase.head.description },
          settings,
        ),
        breadcrumbStructuredData(crumbsOfUseCase(useCase), settings.url),
      ],
    },
    settings,
  );
}
