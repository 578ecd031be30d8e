import type { specializedAgents } from "#content/use-cases/specialized-agents.ts";

/** How one is built, in three steps that overlap in time as they do in life. */
export function BuildSteps({ heading, steps }: (typeof specializedAgents)["build"]) {
  return (
    <section className="section">
      <div className="wrap">
        <h2>{heading}</h2>
        <ol className="build-steps">
          {steps.map(({ title, text, when }) => (
            <li key={title}>
              <p className="lettering">{when}</p>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
