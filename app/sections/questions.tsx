import { OwnStyles } from "../ui/own-styles.tsx";
import { unbroken } from "../ui/unbroken.tsx";
import styles from "./questions.css?url";

export type Question = { question: string; answer: string };

type QuestionsProps = { heading: string; items: readonly Question[] };

/** The page's structured data has the same words. */
export function Questions({ heading, items }: QuestionsProps) {
  return (
    <section className="section questions">
      <OwnStyles href={styles} />
      <div className="wrap">
        <h2>{heading}</h2>
        <div className="question-cards sheet" data-count={items.length}>
          {items.map(({ question, answer }) => (
            <div key={question}>
              <h3>{question}</h3>
              <p>{unbroken(answer)}</p>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}
