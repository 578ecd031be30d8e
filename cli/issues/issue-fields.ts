import type { Db } from "#db/tables.ts";
import { type FoundIssue, findIssue, type ListedIssue } from "#newsletter/issues.ts";
import { failure } from "../command-context.ts";

/** `6, "Quotes before lunch"`, and the number on the site where that is another one. */
export function issueName({ id, number, title }: Omit<ListedIssue, "publishDate">): string {
  return `${id}, "${title}"${number === id ? "" : `, which is #${number} on the site`}`;
}

export async function findIssueOrEnd({ db }: { db: Db }, id: number): Promise<FoundIssue> {
  const found = await findIssue(db, id);
  if (found) return found;
  throw unknownIssue(id);
}

export function unknownIssue(id: number) {
  return failure(`There is no issue with id ${id}. "issues list" shows those there are.`);
}
