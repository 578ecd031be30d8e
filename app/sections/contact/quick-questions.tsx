import { contact } from "#content/pages/contact.ts";
import { unbroken } from "../../ui/unbroken.tsx";

export function QuickQuestions() {
  const { heading, items } = contact.questions;
  return (
    <section className="sheet quick-questions" aria-labelledby="quick-questions-heading">
      <h2 id="quick-questions-heading">{heading}</h2>
      <dl>
        {items.map(({ key, text }) => (
          <div key={key}>
            <dt className="lettering">{key}</dt>
            <dd>{unbroken(text)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
