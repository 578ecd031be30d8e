import type { UseCase } from "#content/use-case.ts";

/** Where the work is heading, in a paragraph or two. */
export function Outlook({ heading, text }: UseCase["outlook"]) {
  return (
    <section className="section section-tight">
      <div className="wrap beside outlook">
        <h2>{heading}</h2>
        <div>
          {text.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      </div>
    </section>
  );
}
