import type { UseCase } from "#content/use-case.ts";
import { HeadedText } from "./headed-text.tsx";

/** Where the work is heading, in a paragraph or two. */
export function Outlook(outlook: UseCase["outlook"]) {
  return (
    <section className="section section-tight">
      <HeadedText className="wrap beside outlook" {...outlook} />
    </section>
  );
}
