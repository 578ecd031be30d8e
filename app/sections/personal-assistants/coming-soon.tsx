import { Link } from "react-router";
import { personalAssistants } from "#content/use-cases/personal-assistants.ts";
import { EmptyLot } from "../../drawings/use-cases/personal-assistants.tsx";
import { TitleBlock } from "../../ui/title-block.tsx";
import "./coming-soon.css";
import "../../ui/line-end.css";

/** A drawing that has not been issued, and what is open in the meantime. */
export function ComingSoon() {
  const { titleBlock, meanwhile } = personalAssistants;
  return (
    <div className="wrap coming-soon">
      <figure className="sheet">
        <EmptyLot />
        <TitleBlock entries={titleBlock} />
      </figure>
      <section aria-labelledby="meanwhile-heading">
        <h2 id="meanwhile-heading">{meanwhile.heading}</h2>
        <ul>
          {meanwhile.links.map(({ label, path, text }) => (
            <li key={path}>
              <Link to={path}>{label}</Link>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
