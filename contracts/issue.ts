import * as v from "valibot";

/** The table of the newsletter's issues, in our database and in a hosted one. */
export const issuesTable = "final_newsletters";

export const issueColumns = ["id", "title", "content_markdown", "publish_date"] as const;

/**
 * A row of `final_newsletters` on the REST wire. Despite its name, `content_markdown` has HTML or a full HTML document.
 * `publish_date` is `YYYY-MM-DD` or an ISO 8601 time. An existing hosted table may hold NULLs.
 */
export const issueRowSchema = v.object({
  id: v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.safeInteger()),
  title: v.pipe(
    v.nullable(v.string()),
    v.transform((title) => title ?? ""),
  ),
  content_markdown: v.pipe(
    v.nullable(v.string()),
    v.transform((body) => body ?? ""),
  ),
  publish_date: v.nullable(v.string()),
});
