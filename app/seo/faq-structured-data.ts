import type { FAQPageLeaf } from "schema-dts";
import type { Question } from "../sections/questions.tsx";

/** FAQPage of the questions that stand on the page, word for word. */
export function faqStructuredData(questions: readonly Question[]): FAQPageLeaf {
  return {
    "@type": "FAQPage",
    mainEntity: questions.map(({ question, answer }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: answer },
    })),
  };
}
