import { Link } from "react-router";
import "./informed.css";

type InformedProps = { heading: string; text: string; link: { label: string; path: string } };

/** The newsletter, for those who would rather read first. */
export function Informed({ heading, text, link }: InformedProps) {
  return (
    <section className="wrap informed">
      <h2>{heading}</h2>
      <p>{text}</p>
      <Link className="button" to={link.path}>
        {link.label}
      </Link>
    </section>
  );
}
