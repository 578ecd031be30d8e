import { Link } from "react-router";
import { newsletter } from "#content/pages/newsletter.ts";
import { OwnStyles } from "../../ui/own-styles.tsx";
import styles from "./back-to-archive.css?url";

export function BackToArchive() {
  return (
    <Link className="back-to-archive" to={newsletter.head.path}>
      <OwnStyles href={styles} />
      <svg width="20" height="12" viewBox="0 0 20 12" aria-hidden="true">
        <path d="M20 6H2m5-5L2 6l5 5" fill="none" stroke="currentColor" strokeWidth="2" />
      </svg>
      {newsletter.issue.back}
    </Link>
  );
}
