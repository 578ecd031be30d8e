import type { UseCase } from "#content/use-case.ts";
import { unbroken } from "../../ui/unbroken.tsx";

/** The line between what the machine does and what stays with a person. */
export function Benefits({ heading, automated, person }: UseCase["benefits"]) {
  return (
    <section className="section blueprint on-dark">
      <div className="wrap">
        <h2>{heading}</h2>
        <div className="division">
          <Side {...automated} />
          <Side {...person} />
        </div>
      </div>
    </section>
  );
}

function Side({ heading, items }: { heading: string; items: readonly string[] }) {
  return (
    <div>
      <h3>{heading}</h3>
      <ul>
        {items.map((item) => (
          <li key={item}>{unbroken(item)}</li>
        ))}
      </ul>
    </div>
  );
}
