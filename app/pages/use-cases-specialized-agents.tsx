import { sources } from "#content/sources.ts";
import { specializedAgents } from "#content/use-cases/specialized-agents.ts";
import { AgentPlan } from "../drawings/use-cases/agent-plan.tsx";
import { ClearancesAfter, ClearancesBefore } from "../drawings/use-cases/specialized-agents.tsx";
import { metaOfUseCase, UseCasePage } from "../sections/use-case/use-case-page.tsx";

const { anatomy, research } = specializedAgents;

export const meta = metaOfUseCase(specializedAgents);

export default function SpecializedAgentsPage() {
  return (
    <UseCasePage
      useCase={specializedAgents}
      before={<ClearancesBefore />}
      after={<ClearancesAfter />}
      plan={<Anatomy />}
      research={<Research />}
    />
  );
}

/** The agent's floor plan and its key. */
function Anatomy() {
  return (
    <div className="sheet lifted cells anatomy" data-n="2">
      <figure>
        <AgentPlan parts={anatomy.parts.map(({ name }) => name)} />
      </figure>
      <div>
        <h2 className="title">{anatomy.heading}</h2>
        <ol className="rows below">
          {anatomy.parts.map(({ name, text }, index) => (
            <li key={name}>
              <b>{`${index + 1} ${name}.`}</b> {text}
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}

function Research() {
  return (
    <>
      <h3>{research.heading}</h3>
      <ul className="rows">
        {research.items.map(({ value, source, found }) => (
          <li key={source}>
            <b>{value}</b> {found}{" "}
            <small>
              <a href={sources[source].url}>
                {`${sources[source].publisher}, ${sources[source].year}`}
              </a>
            </small>
          </li>
        ))}
      </ul>
    </>
  );
}
