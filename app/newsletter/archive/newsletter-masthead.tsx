import { newsletter } from "#content/pages/newsletter.ts";
import { DotMatrix } from "../../drawings/dot-matrix.tsx";
import "./newsletter-masthead.css";

/** The newsletter's name and what it is, on the banded sheet that a listing begins with. */
export function NewsletterMasthead() {
  return (
    <div className="newsletter-masthead">
      <h1>
        <DotMatrix text={newsletter.name} printed />
      </h1>
      <p className="newsletter-intro">{newsletter.intro}</p>
    </div>
  );
}

/** The same name above a single issue, whose own title is the page's heading. */
export function NewsletterNameplate() {
  return (
    <p className="newsletter-masthead newsletter-nameplate">
      <DotMatrix text={newsletter.name} />
    </p>
  );
}
