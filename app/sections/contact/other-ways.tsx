import { Link } from "react-router";
import { contact } from "#content/pages/contact.ts";

/** Live chat and WhatsApp are words only, as the specification has them; the newsletter is a link. */
export function OtherWays() {
  const { heading, items } = contact.otherWays;
  return (
    <section className="wrap section other-ways">
      <h2>{heading}</h2>
      <ul>
        {items.map((item) => (
          <li key={item.title}>
            <h3>{"path" in item ? <Link to={item.path}>{item.title}</Link> : item.title}</h3>
            <p>{item.text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
