import { Link } from "../ui/link.tsx";
import { OwnStyles } from "../ui/own-styles.tsx";
import styles from "./informed.css?url";

type InformedProps = { heading: string; text: string; link: { label: string; path: string } };

/** Invites visitors to the newsletter. */
export function Informed({ heading, text, link }: InformedProps) {
  return (
    <section className="wrap informed">
      <OwnStyles href={styles} />
      <h2>{heading}</h2>
      <p>{text}</p>
      <Link className="button" to={link.path}>
        {link.label}
      </Link>
    </section>
  );
}
