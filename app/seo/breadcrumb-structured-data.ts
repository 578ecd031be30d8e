import type { BreadcrumbListLeaf } from "schema-dts";
import type { Crumb } from "../sections/breadcrumb.tsx";

/** BreadcrumbList of the crumbs that stand on the page. */
export function breadcrumbStructuredData(
  crumbs: readonly Crumb[],
  siteUrl: string,
): BreadcrumbListLeaf {
  return {
    "@type": "BreadcrumbList",
    itemListElement: crumbs.map(({ name, path }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: siteUrl + path,
    })),
  };
}
