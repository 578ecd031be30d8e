import { newsletter } from "#content/pages/newsletter.ts";
import { TitleBlock } from "../../ui/title-block.tsx";

export function WhySubscribe() {
  const { heading, paragraphs, facts } = newsletter.why;
  return (
    <section className="section newsletter-offer">
      <div className="wrap why-subscribe">
        <div>
          <h2>{heading}</h2>
          <div className="why-subscribe-words">
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        </div>
        <div className="sheet why-subscribe-facts">
          <TitleBlock entries={facts} />
        </div>
      </div>
    </section>
  );
}
