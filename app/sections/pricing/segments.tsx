import { pricing } from "#content/pages/pricing.ts";
import { unbroken } from "../../ui/unbroken.tsx";

export function Segments() {
  const { heading, items } = pricing.segments;
  return (
    <section className="blueprint on-dark segments">
      <div className="wrap">
        <h2>{heading}</h2>
        <ul>
          {items.map(({ name, text }) => (
            <li key={name}>
              <h3>{name}</h3>
              <p>{unbroken(text)}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
