import type { RequestServices } from "../site-services.ts";
import type { ShownIssue } from "./archive.ts";
import { styleAttributeAsData } from "./issue-body-html.ts";

/**
 * The issue without its body, where a document is being made that holds the body as HTML anyway. Where data alone is
 * asked for, the body's styles come as data: see {@link stylesAsData}.
 */
export function leaveBodyToDocument<Issue extends ShownIssue>(
  issue: Issue,
  { bodiesInDocument }: Pick<RequestServices, "bodiesInDocument">,
): Issue {
  if (issue.html === null) return issue;
  if (!bodiesInDocument) return { ...issue, html: stylesAsData(issue.html) };
  bodiesInDocument.set(issue.id, issue.html);
  return { ...issue, html: null };
}

const openingTag = /<[a-z][a-z0-9]*(?: [a-z-]+="[^"]*")+>/g;

/**
 * A prepared body whose `style` attributes are named {@link styleAttributeAsData}. The page that opens it by script may
 * be under a policy that refuses style attributes, and then sets the styles itself. Prepared markup has every `<` of
 * its text and every quotation mark of its attributes escaped, so that its tags can be told by their form.
 */
export function stylesAsData(preparedHtml: string): string {
  return preparedHtml.replace(openingTag, (tag) =>
    tag.replace(/ style="/, ` ${styleAttributeAsData}="`),
  );
}
