import type { ReactNode } from "react";
import { ChalkLine } from "../../ui/chalk-line.tsx";
import "./mail-link.css";

type MailLinkSheetProps = {
  words: { heading: string; text: string };
  /** Whether the words are an answer, which screen readers are to hear. */
  isAnswer: boolean;
  /** What stands on the stub. */
  children: ReactNode;
};

/** The sheet that a link in a mail leads to: what it is for, and a stub with what there is to do. */
export function MailLinkSheet({
  words: { heading, text },
  isAnswer,
  children,
}: MailLinkSheetProps) {
  return (
    <section className="wrap section masthead mail-link">
      <div className="sheet">
        <div role={isAnswer ? "status" : undefined}>
          <h1>{heading}</h1>
          <ChalkLine snap />
          <p className="lede">{text}</p>
        </div>
        <div className="mail-link-stub">{children}</div>
      </div>
    </section>
  );
}
