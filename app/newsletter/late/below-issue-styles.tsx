import { useActionData } from "react-router";
import { LateStyles } from "../../ui/late-styles.tsx";
import { OwnStyles } from "../../ui/own-styles.tsx";
import styles from "./below-issue.css?url";

/**
 * The styles of what stands below an issue, right before the first of it: a long issue and they don't fit the first flight
 * of bytes together. The answer to the form there has them at once, since it puts the focus into the form.
 */
export function BelowIssueStyles() {
  const isAnswer = useActionData() !== undefined;
  return isAnswer ? <OwnStyles href={styles} /> : <LateStyles href={styles} />;
}
