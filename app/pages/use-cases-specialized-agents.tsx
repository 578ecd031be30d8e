import { sources } from "#content/sources.ts";
import { specializedAgents } from "#content/use-cases/specialized-agents.ts";
import { Dimension, Draw, Drawing, dot, Label, Note } from "../drawings/pens.tsx";
import { metaOfUseCase, UseCasePage } from "../sections/use-case/use-case-page.tsx";

const { anatomy, research } = specializedAgents;

export const meta = metaOfUseCase(specializedAgents);

export default function SpecializedAgentsPage() {
  return (
    <UseCasePage
      useCase={specializedAgents}
      before={<Before />}
      after={<After />}
      plan={<Anatomy />}
      research={<Research />}
    />
  );
}

function Anatomy() {
  return (
    <div className="sheet lifted cells anatomy" data-n="2">
      <figure>
        <AgentPlan />
      </figure>
      <div>
        <h2 className="title">{anatomy.heading}</h2>
        <ul className="rows below">
          {anatomy.rooms.map(({ name, holds }, index) => (
            <li key={name}>
              <b>{`${index + 1} ${name}:`}</b> {holds}
            </li>
          ))}
        </ul>
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

const rooms = [
  { x: 42, y: 100 },
  { x: 160, y: 100 },
  { x: 278, y: 100 },
  { x: 270, y: 245 },
  { x: 40, y: 245 },
];

/** Routes pass through the openings. */
function AgentPlan() {
  return (
    <Drawing
      id="agent-plan"
      width={440}
      height={398}
      title="Floor plan of an agent"
      description="A message comes in by the door on the left, passes the inbox, the rules and the tools, and goes out on the right. From the rules a second way leads to a counter. Anything the rules don’t cover stops there, and a person on the other side decides. Every step is written in the logbook."
    >
      <g transform="translate(8 -40)">
        <Draw hidden="M208 276H104M268 362V394" route="M-2 140H426M208 140V314H268V338" />
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
        <Note x={-2} y={122} text="in" />
        <Note x={428} y={122} textAnchor="end" text="out" />
        {anatomy.rooms.map(({ name }, index) => (
          <Note key={name} {...rooms[index]} text={`${index + 1} ${name}`} />
        ))}
      </g>
    </Drawing>
  );
}

/** Months count from 0 at March 1. */
const months = ["Mar", "Apr", "May", "Jun", "Jul", "Aug"] as const;
const trades = ["Framer", "Painter", "Drywaller", "Electrician"] as const;
const chartLeft = 122;
const monthWidth = 47;
const firstRowTop = 58;
const rowPitch = 54;
const barHeight = 28;
/** When the first clearances are 90 days old. */
const lapse = 2.65;
const height = 330;

/** Fractions would be invisible bytes. */
function monthX(month: number) {
  return Math.round(chartLeft + month * monthWidth);
}

function rowTop(row: number) {
  return firstRowTop + row * rowPitch;
}

const rowsEnd = rowTop(trades.length - 1) + barHeight;

function barsOf(stretches: readonly (readonly [row: number, from: number, to: number])[]): string {
  const bars = stretches.map(([row, from, to]) => {
    const left = monthX(from);
    return `M${left} ${rowTop(row)}H${monthX(to)}v${barHeight}H${left}z`;
  });
  return bars.join("");
}

function Chart() {
  return (
    <g>
      {months.map((month, index) => (
        <Note key={month} x={monthX(index + 0.5)} y={34} textAnchor="middle" text={month} />
      ))}
      <Draw line={`M${monthX(0)} 44H${monthX(months.length)}`} />
      {trades.map((trade, row) => (
        <Note key={trade} x={14} y={rowTop(row) + 20} text={trade} />
      ))}
    </g>
  );
}

const lapseLine = `M${monthX(lapse)} 44V${rowsEnd + 14}`;

function Time({ from, to, label }: { from: number; to: number; label: string }) {
  const ends = { from: monthX(from), to: monthX(to) };
  return <Dimension {...ends} at={rowsEnd + 24} reach={rowsEnd + 4} label={label} />;
}

function Before() {
  const renewed = 3.9;
  return (
    <Drawing
      id="clearances-before"
      height={height}
      title="Four subcontractors’ WSIB clearances over one job, today"
      description="All clearances run out on the same day in May. The framer renews at once, the drywaller works three weeks without one, the electrician 38 days."
    >
      <Chart />
      <Draw
        chalk={barsOf([
          [0, 0, 3.6],
          [1, 3.4, 5.9],
          [2, 2, lapse],
          [2, 3.35, 4.6],
          [3, 0.7, lapse],
          [3, renewed, 4.9],
        ])}
        safety={barsOf([
          [2, lapse, 3.35],
          [3, lapse, renewed],
        ])}
        hidden={lapseLine}
      />
      <Time from={lapse} to={renewed} label="38 days without cover" />
    </Drawing>
  );
}

function After() {
  const asked = 2.2;
  return (
    <Drawing
      id="clearances-after"
      height={height}
      title="The same clearances with an agent"
      description="Two weeks before that day, the agent asks each subcontractor for a new one. The framer and the drywaller send theirs. The electrician misses two requests, so a person calls him. No day goes without cover."
    >
      <Chart />
      <Draw
        chalk={barsOf([
          [0, 0, 3.6],
          [1, 3.4, 5.9],
          [2, 2, 4.6],
          [3, 0.7, 4.9],
        ])}
        hidden={lapseLine}
        safety={[0, 2, 3].map((row) => dot(monthX(asked), rowTop(row) + barHeight / 2, 7)).join("")}
      />
      <Label className="on-chalk" x={monthX(lapse) + 12} y={rowTop(3) + 19} text="you call" />
      <Time from={asked} to={lapse} label="asked 14 days before" />
    </Drawing>
  );
}
