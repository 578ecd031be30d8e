import { type FoundIssue, findIssue } from "#newsletter/find-issues.ts";
import type { OpenStore } from "#server/open-store.ts";
import { CommandError } from "../command-error.ts";

/** The issue of an id; ends the command where there is none. */
export async function findIssueOrEnd({ db }: OpenStore, id: number): Promise<FoundIssue> {
  const found = await findIssue(db, id);
  if (found.ok) return found.issue;
  throw new CommandError(`There is no issue with id ${id}. "issues list" shows those there are.`, {
    exitCode: 1,
  });
}
