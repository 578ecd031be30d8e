import { type RefObject, useContext, useLayoutEffect } from "react";
import type { ShownIssue } from "../archive/archive.ts";
import { PartsOfDocument } from "./parts-of-document.ts";

/** Bodies that came as part of a page, as they stood in it, by the issue's id. */
const bodiesOfPage = new Map<number, string>();

/** Marks the element that holds an issue's body, for the browser that takes over the page. */
export const issueIdAttribute = "data-issue";

/**
 * The HTML of an issue's body: from the loader's data, or, with the page's first data, from where it already is. A page
 * then carries a long issue once and not twice.
 */
export function useIssueBodyHtml({ id, html }: Pick<ShownIssue, "id" | "html">): string {
  const parts = useContext(PartsOfDocument);
  if (html !== null) return html;
  const known = parts?.bodies.get(id) ?? bodiesOfPage.get(id);
  if (known !== undefined) return known;
  const element = document.querySelector(`[${issueIdAttribute}="${id}"]`);
  const found = element?.innerHTML ?? "";
  bodiesOfPage.set(id, found);
  return found;
}

/** Where a body that comes as data has what its `style` attributes say. */
export const styleAttributeAsData = "data-style";

/**
 * Gives the elements of a body that came as data their styles, before they are painted. The security policy of the page
 * on which the visit began may refuse style attributes in markup; a script of the site may set the same styles.
 */
export function useStylesFromData(body: RefObject<HTMLElement | null>, html: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another body is other elements in the same place.
  useLayoutEffect(() => {
    const styled = body.current?.querySelectorAll<HTMLElement>(`[${styleAttributeAsData}]`) ?? [];
    for (const element of styled) {
      element.style.cssText = element.getAttribute(styleAttributeAsData) ?? "";
      element.removeAttribute(styleAttributeAsData);
    }
  }, [body, html]);
}
