import type { ReactNode } from "react";
import { OwnStyles } from "../ui/own-styles.tsx";
import styles from "./closing-call.css?url";

type ClosingCallProps = {
  heading: string;
  text?: string;
  children: ReactNode;
};

/** The band with the call to action at the end of a page. */
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
