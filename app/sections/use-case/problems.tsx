import type { UseCase } from "#content/use-case.ts";
import { unbroken } from "../../ui/unbroken.tsx";

export function Problems({ heading, items }: UseCase["problems"]) {
  return (
    <section className="section section-tight">
      <div className="wrap">
        <h2>{heading}</h2>
        <ProblemList items={items} />
      </div>
    </section>
  );
}

export function ProblemList({ items }: Pick<UseCase["problems"], "items">) {
  return (
    <ul className="problem-list">
      {items.map(({ title, text }) => (
        <li key={title}>
          <h3>{title}</h3>
          <p>{unbroken(text)}</p>
        </li>
      ))}
    </ul>
  );
}
