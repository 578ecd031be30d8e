import type { ReactNode } from "react";
import { OwnStyles } from "../ui/own-styles.tsx";
import styles from "./closing-call.css?url";

type ClosingCallProps = {
  heading: string;
  text?: string;
  /** Buttons; on the orange band they are ink. */
  children: ReactNode;
};

/** The band that ends a page with the one thing to do. */
export function ClosingCall({ heading, text, children }: ClosingCallProps) {
  return (
    <section className="closing-call">
      <OwnStyles href={styles} />
      <div className="wrap">
        <div>
          <h2>{heading}</h2>
          {text && <p>{text}</p>}
        </div>
        <div className="closing-call-actions">{children}</div>
      </div>
    </section>
  );
}
