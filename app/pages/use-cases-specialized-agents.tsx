import { sources } from "#content/sources.ts";
import { specializedAgents } from "#content/use-cases/specialized-agents.ts";
import { AgentPlan } from "../drawings/use-cases/agent-plan.tsx";
import { ClearancesAfter, ClearancesBefore } from "../drawings/use-cases/specialized-agents.tsx";
import { BeforeAndAfter, headOfUseCase, UseCasePage } from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-specialized-agents";

const { drawing, anatomy, research, build, edge } = specializedAgents;

export function meta({ matches }: Route.MetaArgs) {
  return headOfUseCase(specializedAgents, matches);
}

export default function SpecializedAgentsPage() {
  return (
    <UseCasePage
      useCase={specializedAgents}
      drawing={<Anatomy />}
      evidence={
        <div className="wrap">
          <BeforeAndAfter
            drawing={drawing}
            before={<ClearancesBefore />}
            after={<ClearancesAfter />}
          />
        </div>
      }
      research={<Research />}
      steps={<Build />}
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
        <h2>{anatomy.heading}</h2>
        <ol className="rows">
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
      <ul className="rows keyed">
        {research.items.map(({ value, source, found }) => (
          <li key={source}>
            <b>{value}</b>
            <p>
              {found}{" "}
              <small>
                <a
                  href={sources[source].url}
                >{`${sources[source].publisher}, ${sources[source].year}`}</a>
              </small>
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

function Build() {
  return (
    <>
      <h2>{build.heading}</h2>
      <ol className="steps">
        {build.steps.map(({ title, text, when }) => (
          <li key={title}>
            <span className="lettering">{when}</span>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
      <div className="lead">
        <h2>{edge.heading}</h2>
        <p>{edge.text}</p>
      </div>
    </>
  );
}
