import { newsletter } from "#content/pages/newsletter.ts";

/** What an issue is made of, as a banded listing. */
export function WeeklyContents() {
  const { heading, parts } = newsletter.weekly;
  return (
    <section className="section newsletter-offer weekly">
      <div className="wrap">
        <h2>{heading}</h2>
        <div className="weekly-contents">
          {parts.map((part) => (
            <div className="weekly-part" key={part.heading}>
              <h3>{part.heading}</h3>
              <p>{part.text}</p>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}
