import type { FAQPageLeaf } from "schema-dts";
import type { Question } from "../sections/questions.tsx";

/** FAQPage of the questions that stand on the page, word for word. */
export function faqStructuredData(questions: readonly Question[]): FAQPageLeaf {
  return {
    "@type": "FAQPage",
    mainEntity: questions.map(({ question, answer }) => ({
      "@type": "Question",
      name: withPlainSpaces(question),
      acceptedAnswer: { "@type": "Answer", text: withPlainSpaces(answer) },
    })),
  };
}

/** What keeps words together in a line of the page is of no use in data. */
function withPlainSpaces(words: string): string {
  return words.replaceAll("\u00a0", " ");
}
