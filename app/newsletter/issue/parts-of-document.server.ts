import type { RequestServices } from "../../site-services.ts";
import type { Archive, ShownIssue } from "../archive/archive.ts";
import { styleAttributeAsData } from "./issue-body-html.ts";

type Parts = Pick<RequestServices, "partsOfDocument">;

/** The archive without what a document holds as HTML anyway: see {@link leaveBodyToDocument}. */
export function leavePartsToDocument(archive: Archive, services: Parts): Archive {
  if (archive.state !== "has-issues") return archive;
  const { partsOfDocument } = services;
  const shown = leaveBodyToDocument(archive.shown, services);
  if (!partsOfDocument) return { ...archive, shown };
  partsOfDocument.choice = archive.choice;
  partsOfDocument.newest = archive.newest;
  return { ...archive, shown, choice: null, newest: null };
}

/**
 * The issue without its body, where a document is being made that holds the body as HTML anyway. Where data alone is
 * asked for, the body's styles come as data: see {@link stylesAsData}.
 */
export function leaveBodyToDocument<Issue extends ShownIssue>(
  issue: Issue,
  { partsOfDocument }: Parts,
): Issue {
  if (issue.html === null) return issue;
  if (!partsOfDocument) return { ...issue, html: stylesAsData(issue.html) };
  partsOfDocument.bodies.set(issue.id, issue.html);
  return { ...issue, html: null };
}

const openingTag = /<[a-z][a-z0-9]*(?: [a-z-]+="[^"]*")+>/g;

/**
 * A prepared body whose `style` attributes are named {@link styleAttributeAsData}. The page that opens it by script may
 * be under a policy that refuses style attributes, and then sets the styles itself. Prepared markup has every `<` of
 * its text and every quotation mark of its attributes escaped, so that its tags can be told by their form.
 */
function stylesAsData(preparedHtml: string): string {
  return preparedHtml.replace(openingTag, (tag) =>
    tag.replace(/ style="/, ` ${styleAttributeAsData}="`),
  );
}
