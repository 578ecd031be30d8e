import { Drawing, Note } from "../pens.tsx";

const roomLabels = [
  [42, 100],
  [160, 100],
  [278, 100],
  [270, 245],
  [40, 245],
] as const;

/** An agent as a floor plan. `parts` are the rooms' names in the key's order: inbox, rules, tools, counter, logbook. */
export function AgentPlan({ parts }: { parts: readonly string[] }) {
  return (
    <Drawing
      id="agent-plan"
      width={440}
      height={398}
      title="Floor plan of an agent"
      description="A message comes in by the door on the left, passes the inbox, the rules and the tools, and goes out on the right. From the rules a second way leads to a counter. Anything the rules don’t cover stops there, and a person on the other side decides. Every step is written in the logbook."
    >
      <g transform="translate(8 -40)">
        <path className="hidden-line" d="M208 276H104M268 362V394" />
        <path className="route" d="M-2 140H426M208 140V314H268V338" />
        <Walls />
        <rect className="solid-safety" x="178" y="344" width="180" height="14" />
        <circle className="solid-safety" cx="268" cy="330" r="8" />
        <circle className="part" cx="268" cy="408" r="14" />
        <Note x={294} y={413} text="a person" />
        <Note x={-2} y={122} text="in" />
        <Note x={428} y={122} textAnchor="end" text="out" />
        {parts.map((part, index) => (
          <Note
            key={part}
            x={roomLabels[index]?.[0] ?? 0}
            y={roomLabels[index]?.[1] ?? 0}
            text={`${index + 1} ${part}`}
          />
        ))}
      </g>
    </Drawing>
  );
}

/** Walls, door swings and furniture; routes pass through the openings. */
function Walls() {
  return (
    <>
      <path
        className="part-line"
        strokeWidth="7"
        strokeLinecap="square"
        d="M30 118V72H386V118M386 162V352H362M174 352H30V162M149 72V118M149 162V254M149 298V352M267 72V118M267 162V216M30 216H184M232 216H386"
      />
      <path
        className="part"
        d="M80 172h52v32H80zM160 156h34v50h-34zM290 172h34v32h-34zM336 172h16l5 7h17v25h-38zM48 262h52v36H48z"
      />
      <path
        className="part-line"
        d="M30 118h44a44 44 0 0 1-44 44M386 118h-44a44 44 0 0 0 44 44M149 254h-44a44 44 0 0 0 44 44M80 172l26 18 26-18M166 168h22M166 177h22M166 186h22M166 195h14M290 181h34M301 181v23M312 181v23M74 262v36M55 272h12M55 281h12M81 272h12M81 281h12"
      />
    </>
  );
}
