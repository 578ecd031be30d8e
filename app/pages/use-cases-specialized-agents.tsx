import { sources } from "#content/sources.ts";
import { specializedAgents } from "#content/use-cases/specialized-agents.ts";
import { Draw, Drawing, dot, Label, Note } from "../drawings/pens.tsx";
import { marks, Proof } from "../drawings/proof.tsx";
import { metaOfUseCase, Plan, pageOfUseCase } from "../sections/use-case/use-case-page.tsx";
import { usePageWords } from "../site-facts.ts";

const { anatomy, research } = specializedAgents;

export const meta = metaOfUseCase(specializedAgents);

export default pageOfUseCase(specializedAgents, {
  plan: (
    <Plan {...anatomy}>
      <AgentPlan />
    </Plan>
  ),
  research: <Research />,
  object: <Process />,
  tally: <HoursOfAMonth />,
  sidesBeside: true,
});

function Process() {
  const { process, edge } = usePageWords(specializedAgents);
  return (
    <div className="case-steps">
      <h2 className="title">{process.heading}</h2>
      <ol className="rows below">
        {process.items.map(({ title, text }) => (
          <li key={title}>
            <b>{title}.</b> {text}
          </li>
        ))}
      </ol>
      <h2 className="small-title below">{edge.heading}</h2>
      <p>{edge.text}</p>
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
            <a href={sources[source].url}>
              {`${sources[source].publisher}, ${sources[source].year}`}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

function HoursOfAMonth() {
  const hour = 418 / 45;
  const tens = [10, 20, 30];
  return (
    <Proof>
      <Draw
        chalk={marks(45, (x, index) => `M${x} 2h6v${index % 5 === 4 ? 24 : 18}h-6z`).join("")}
      />
      {tens.map((hours) => (
        <Label key={hours} x={hour * hours - 2} y={44} textAnchor="middle" text={hours} />
      ))}
      <Label x={418} y={44} textAnchor="end" text="45 h" />
    </Proof>
  );
}

/** Routes pass through the openings. */
function AgentPlan() {
  return (
    <Drawing
      id="agent-plan"
      width={444}
      height={398}
      title="Floor plan of an agent"
      description="A message comes in by the door on the left, passes the inbox, the rules and the tools, and goes out on the right. From the rules a second way leads to a counter. Anything the rules don’t cover stops there, and a person on the other side decides. Every step is written in the logbook."
    >
      <g transform="translate(10 -40)">
        <Draw hidden="M208 276H104M268 362V394" route="M-10 140H434M208 140V314H268V338" />
        <path
          className="part-line"
          strokeWidth="7"
          strokeLinecap="square"
          d="M30 118V72H386V118M386 162V352H362M174 352H30V162M149 72V118M149 162V254M149 298V352M267 72V118M267 162V216M30 216H184M232 216H386"
        />
        <Draw
          part="M80 172h52v32H80zM160 156h34v50h-34zM290 172h34v32h-34zM336 172h16l5 7h17v25h-38zM48 262h52v36H48z"
          line="M30 118h44a44 44 0 0 1-44 44M386 118h-44a44 44 0 0 0 44 44M149 254h-44a44 44 0 0 0 44 44M80 172l26 18 26-18M166 168h22M166 177h22M166 186h22M166 195h14M290 181h34M301 181v23M312 181v23M74 262v36M55 272h12M55 281h12M81 272h12M81 281h12"
          safety={`M178 344h180v14H178z${dot(268, 330, 8)}`}
        />
        <circle className="part" cx="268" cy="408" r="14" />
        <Note x={294} y={413} text="a person" />
        <Note x={0} y={122} text="in" />
        <Note x={424} y={122} textAnchor="end" text="out" />
        {anatomy.rooms.map(({ name, at: [x, y] }, index) => (
          <Note key={name} x={x} y={y} text={`${index + 1} ${name}`} />
        ))}
      </g>
    </Drawing>
  );
}
