import type { ReactNode } from "react";
import { newsletter } from "#content/pages/newsletter.ts";

/** The subscribe form on its band; it ends the archive and every issue. */
export function JoinTheMatrix({ children }: { children: ReactNode }) {
  const { heading, text } = newsletter.join;
  return (
    <section className="blueprint on-dark newsletter-offer join-band" id="join">
      <div className="wrap join-the-matrix">
        <div>
          <h2>{heading}</h2>
          <p className="lede">{text}</p>
        </div>
        <div>{children}</div>
      </div>
    </section>
  );
}
