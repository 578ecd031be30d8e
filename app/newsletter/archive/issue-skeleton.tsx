import { newsletter } from "#content/pages/newsletter.ts";
import { OwnStyles } from "../../ui/own-styles.tsx";
import styles from "./issue-skeleton.css?url";

/** Lines of an issue that is still in the printer, in each of its paragraphs, with the measures of the real thing. */
const paragraphs = [4, 3, 5, 3];

/** Stands where the issue will. */
export function IssueSkeleton() {
  return (
    <div className="issue-skeleton">
      <OwnStyles href={styles} />
      <p className="sr-only" role="status">
        {newsletter.archive.loading}
      </p>
      <div aria-hidden="true">
        <span className="skeleton-line skeleton-title" />
        <span className="skeleton-line skeleton-title skeleton-short" />
        {paragraphs.map((lines, paragraph) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
          <div className="skeleton-paragraph" key={paragraph}>
            {Array.from({ length: lines }, (_, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
              <span className="skeleton-line" key={line} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
