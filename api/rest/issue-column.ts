import { issueColumns, issuesTable } from "#contracts/issue.ts";
import { PostgrestError } from "./postgrest-error.ts";

export type IssueColumn = (typeof issueColumns)[number];

/** The one long column: it can be selected, and neither ordered nor filtered by, which would read every body. */
export const bodyColumn = "content_markdown" satisfies IssueColumn;

export const headColumns = issueColumns.filter((column) => column !== bodyColumn);

const quoted = /^"(.*)"$/;

/** The column of that name, quoted or not; PostgreSQL's error for any other. */
export function readColumnName(text: string): IssueColumn {
  const name = text.trim().replace(quoted, "$1");
  const column = issueColumns.find((known) => known === name);
  if (column === undefined) {
    throw new PostgrestError({
      status: 400,
      code: "42703",
      message: `column ${issuesTable}.${name} does not exist`,
    });
  }
  return column;
}
