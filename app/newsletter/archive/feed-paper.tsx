import type { ReactNode } from "react";
import "./feed-paper.css";

/** Continuous paper as it comes out of the printer: holes in both margins, torn off at the last perforation. */
export function FeedPaper({ children }: { children: ReactNode }) {
  return (
    <div className="feed">
      <div className="feed-paper">
        {children}
        <div className="feed-tear" aria-hidden="true" />
      </div>
    </div>
  );
}

/** The line of holes between two sheets. */
export function Perforation() {
  return <div className="feed-perforation" aria-hidden="true" />;
}

/** The first lines of the paper: what is on it, and the way to another. */
export function FeedBar({ children }: { children: ReactNode }) {
  return <div className="feed-bar">{children}</div>;
}
