import { issueColumns, issuesTable } from "#contracts/issue.ts";
import { type IssueColumn, readColumnName } from "./issue-column.ts";
import { overLimit, PostgrestError, parseError } from "./postgrest-error.ts";
import { readTerms } from "./read-terms.ts";
import { aliasMaxLength } from "./rest-limits.ts";

/** One field of the answer: the name it gets and the column it comes from. */
export type SelectedField = { name: string; column: IssueColumn };

const everyColumn: SelectedField[] = issueColumns.map((column) => ({ name: column, column }));

const aggregate = /(?:^|[.:])(?:count|sum|avg|min|max)\(\s*\)/;
const embedded = /^(?:\.\.\.)?(?:[^:(]+:)?([^!:(]+)(?:![^(]*)?\(/;
const plain = /^(?:([^:"(),]+|"[^"]+")\s*:\s*)?([A-Za-z_][A-Za-z0-9_ ]*|"[^"]+")$/;

/**
 * `select`: `*`, columns, and columns under another name (`alias:column`), each column once: an answer is never longer
 * than the table. Aggregates and related tables are refused as PostgREST refuses them where there are none.
 */
export function parseSelect(text: string | null): SelectedField[] {
  if (text === null || text.trim() === "") {
    return everyColumn;
  }
  return readTerms(text, {
    name: "select",
    noun: "field",
    hint: "Select each column once; * is all of them.",
    read: (field) => parseField(field, text),
  });
}

function parseField(field: string, whole: string): SelectedField[] {
  if (field === "*") {
    return everyColumn;
  }
  if (aggregate.test(field)) {
    throw new PostgrestError({
      status: 400,
      code: "PGRST123",
      message: "Use of aggregate functions is not allowed",
    });
  }
  const relation = embedded.exec(field)?.[1]?.trim();
  if (relation !== undefined) {
    throw new PostgrestError({
      status: 400,
      code: "PGRST200",
      message: `Could not find a relationship between '${issuesTable}' and '${relation}' in the schema cache`,
      details: `Searched for a foreign key relationship between '${issuesTable}' and '${relation}' in the schema 'public', but no matches were found.`,
    });
  }
  const [, alias, name] = plain.exec(field) ?? [];
  if (name === undefined) {
    throw parseError("select parameter", whole, "*, a column, or alias:column");
  }
  const column = readColumnName(name);
  return [{ name: alias === undefined ? column : readAlias(alias), column }];
}

function readAlias(text: string): string {
  const alias = text.trim().replace(/^"(.*)"$/s, "$1");
  if (alias.length > aliasMaxLength) {
    throw overLimit(`A field's name is longer than ${aliasMaxLength} characters.`);
  }
  if (/\p{Cc}/u.test(alias)) {
    throw parseError("select parameter", text, "a name without control characters");
  }
  return alias;
}
