import type { specializedAgents } from "#content/use-cases/specialized-agents.ts";

/** Why the small firm has the easier job of it. */
export function Edge({ heading, text }: (typeof specializedAgents)["edge"]) {
  return (
    <section className="wrap edge">
      <div className="beside">
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
