import { sources } from "#content/sources.ts";
import { specializedAgents } from "#content/use-cases/specialized-agents.ts";
import { AgentPlan } from "../drawings/use-cases/agent-plan.tsx";
import { ClearancesAfter, ClearancesBefore } from "../drawings/use-cases/specialized-agents.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { Breadcrumb, ClosingCall, Masthead } from "../sections/page-sections.tsx";
import {
  BeforeAndAfter,
  Benefits,
  Cost,
  crumbsOfUseCase,
  Example,
  FigureList,
  HeadedText,
  headOfUseCase,
  Outlook,
  Problems,
  Today,
} from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-specialized-agents";
import "../sections/breadcrumb.css";
import "../sections/use-case/use-case.css";
import "../sections/specialized-agents/specialized-agents.css";

export function meta({ matches }: Route.MetaArgs) {
  return headOfUseCase(specializedAgents, matches);
}

export default function SpecializedAgentsPage() {
  const { heading, lede, drawing, closing } = specializedAgents;
  return (
    <>
      <Breadcrumb crumbs={crumbsOfUseCase(specializedAgents)} />
      <Masthead heading={heading} lede={lede} />
      <BeforeAndAfter drawing={drawing} before={<ClearancesBefore />} after={<ClearancesAfter />} />
      <Anatomy {...specializedAgents.anatomy} />
      <Today {...specializedAgents.today} />
      <Problems {...specializedAgents.problems} />
      <Cost {...specializedAgents.cost} />
      <Benefits {...specializedAgents.benefits} />
      <BuildSteps {...specializedAgents.build} />
      <section className="wrap edge">
        <HeadedText {...specializedAgents.edge} />
      </section>
      <FiguresAndResearch {...specializedAgents} />
      <Example {...specializedAgents.example} />
      <Outlook {...specializedAgents.outlook} />
      <ClosingCall heading={closing.heading} text={closing.text}>
        <BookingButton variant="ink">{closing.action}</BookingButton>
      </ClosingCall>
    </>
  );
}

/** The agent's floor plan and its key. */
function Anatomy({ heading, text, parts }: (typeof specializedAgents)["anatomy"]) {
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

function BuildSteps({ heading, steps }: (typeof specializedAgents)["build"]) {
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

type ResearchProps = Pick<typeof specializedAgents, "figures" | "research">;

/** The firm's own figures, then published research with its findings, limits and source. */
function FiguresAndResearch({ figures, research: { heading, items } }: ResearchProps) {
  return (
    <section className="section section-tight">
      <div className="wrap research">
        <h2>{figures.heading}</h2>
        <FigureList items={figures.items} />
        <h2>{heading}</h2>
        <ul className="research-list">
          {items.map(({ value, source, found, open }) => (
            <li key={source}>
              <p className="research-value">{value}</p>
              <div>
                <p>{found}</p>
                <p className="research-open">{open}</p>
              </div>
              <p className="research-source">
                <Reference id={source} />
              </p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Reference({ id }: { id: keyof typeof sources }) {
  const { publisher, title, year, url } = sources[id];
  return (
    <>
      {`${year ? `${publisher}, ${year}` : publisher}: `}
      {url ? (
        <cite>
          <a href={url}>{title}</a>
        </cite>
      ) : (
        <cite>{title}</cite>
      )}
    </>
  );
}
