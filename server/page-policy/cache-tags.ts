import type { PageAddress } from "./resolve-address.ts";

/**
 * The value of `Cache-Tag`, by which a CDN forgets many pages at once: the operator's word for all of them, with
 * `-issues` for those that a new issue changes, and with `-issue-12` for those that show that one.
 */
export function tagsOf({ policy, key }: PageAddress, word: string): string {
  const tags = [word];
  if (policy.showsIssues) tags.push(`${word}-issues`);
  if (key?.issueId) tags.push(`${word}-issue-${key.issueId}`);
  return tags.join();
}
