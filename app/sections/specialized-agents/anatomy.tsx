import type { specializedAgents } from "#content/use-cases/specialized-agents.ts";
import { AgentPlan } from "../../drawings/use-cases/agent-plan.tsx";

/** What an agent is: its floor plan, and the key to the plan's numbers. */
export function Anatomy({ heading, text, parts }: (typeof specializedAgents)["anatomy"]) {
  return (
    <section className="section section-tight">
      <div className="wrap anatomy">
        <div>
          <h2>{heading}</h2>
          {text.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <ol className="plan-key">
            {parts.map(({ name, text: part }, index) => (
              <li key={name}>
                <span className="lettering" aria-hidden="true">
                  {index + 1}
                </span>
                <p>
                  <b>{`${name}.`}</b>
                  {` ${part}`}
                </p>
              </li>
            ))}
          </ol>
        </div>
        <figure className="sheet">
          <AgentPlan parts={parts.map(({ name }) => name)} />
        </figure>
      </div>
    </section>
  );
}
