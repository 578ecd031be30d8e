import { home } from "#content/pages/home.ts";
import { DrawingSet } from "../../drawings/drawing-set.tsx";

/** What the audit leaves behind, as the register of a drawing set. */
export function Deliverables() {
  const { heading, lede, items } = home.deliverables;
  return (
    <section className="section blueprint on-dark">
      <div className="wrap deliverables">
        <div>
          <h2>{heading}</h2>
          <p className="lede">{lede}</p>
          <DrawingSet />
        </div>
        <ul className="register">
          {items.map(({ sheet, title, text }) => (
            <li key={sheet}>
              <span className="lettering" aria-hidden="true">
                {sheet}
              </span>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
