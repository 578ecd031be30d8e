import { OwnStyles } from "../../ui/own-styles.tsx";
import styles from "./rich-issue.css?url";

/** What the prepared HTML of a body has somewhere that needs more than `issue-body.css`. */
const richMarkup =
  /<(?:blockquote|code|figcaption|hr|img|kbd|pre|samp|small|su[bp])\b|issue-(?:boxes|column|data|gap|menu|stack)/;

/** The styles of what only some issues have: quotations, code, pictures, columns and tables of figures. */
export function RichIssueStyles({ html }: { html: string }) {
  return richMarkup.test(html) && <OwnStyles href={styles} />;
}
