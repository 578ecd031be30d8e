import type { RequestServices } from "../site-services.ts";
import type { ShownIssue } from "./archive.ts";

/** The issue without its body, where a document is being made that holds the body as HTML anyway. */
export function leaveBodyToDocument<Issue extends ShownIssue>(
  issue: Issue,
  { bodiesInDocument }: Pick<RequestServices, "bodiesInDocument">,
): Issue {
  if (!bodiesInDocument || issue.html === null) return issue;
  bodiesInDocument.set(issue.id, issue.html);
  return { ...issue, html: null };
}
