import { businessOperations } from "#content/use-cases/business-operations.ts";
import { Dimension, Draw, Drawing, Note, Part } from "../drawings/pens.tsx";
import { Shortened } from "../drawings/proof.tsx";
import { metaOfUseCase, pageOfUseCase } from "../sections/use-case/use-case-page.tsx";

export const meta = metaOfUseCase(businessOperations);

export default pageOfUseCase(businessOperations, {
  before: <Before />,
  after: <After />,
  tally: <Shortened part={0.3} />,
  objectLast: true,
});

/** Both drawings show the same month. */
const monthLeft = 24;
const dayWidth = 12.4;
const rulerTop = 272;
const height = 376;
const slipHeight = 40;

function dayX(day: number) {
  return monthLeft + (day - 1) * dayWidth;
}

function MonthRuler() {
  const days = Array.from({ length: 31 }, (_, index) => index + 1);
  const isWeekStart = (day: number) => (day - 1) % 7 === 0;
  const ticks = days.map((day) => `M${dayX(day)} ${rulerTop}v${isWeekStart(day) ? 14 : 7}`);
  return (
    <g>
      <Draw line={`M${dayX(1)} ${rulerTop}H${dayX(31)}${ticks.join("")}`} />
      {days.filter(isWeekStart).map((day) => (
        <Note key={day} x={dayX(day)} y={rulerTop + 30} textAnchor="middle" text={day} />
      ))}
    </g>
  );
}

function Delay({ from, to, label }: { from: number; to: number; label: string }) {
  const ends = { from: dayX(from), to: dayX(to) };
  return <Dimension {...ends} at={rulerTop + 46} reach={rulerTop + 36} label={label} />;
}

type SlipProps = {
  day: number;
  y: number;
  width?: number;
  label: string;
  pen?: "part" | "safety";
};

function Slip({ day, y, width = 148, label, pen }: SlipProps) {
  const x = dayX(day);
  return (
    <g>
      <Draw line={`M${x} ${y + slipHeight}V${rulerTop}`} />
      <Part x={x} y={y} width={width} height={slipHeight} label={label} pen={pen} />
    </g>
  );
}

function Before() {
  return (
    <Drawing
      id="operations-before"
      height={height}
      title="One week’s hours today, over the days of a month"
      description="41.5 hours are texted from the site on the 5th, typed into a spreadsheet on the 8th and into payroll on the 11th, where they become 45.1. The pay is corrected on the 18th and the hours are typed once more for the invoice on the 24th. The same number is typed five times in 19 days."
    >
      <Draw
        route={`M${dayX(5) + 118} 56V64M${dayX(8) + 118} 104v8M${dayX(11) + 118} 152v8M${dayX(18) + 118} 200v8`}
      />
      <Slip day={5} y={16} label="Text 41.5 h" />
      <Slip day={8} y={64} label="Sheet 41.5 h" />
      <Slip day={11} y={112} width={170} label="Payroll 45.1 h" pen="safety" />
      <Slip day={18} y={160} label="Fixed 41.5 h" />
      <Slip day={24} y={208} width={dayX(31) - dayX(24)} label="Invoice" />
      <MonthRuler />
      <Delay from={5} to={24} label="typed 5 times in 19 days" />
    </Drawing>
  );
}

function After() {
  const entry = dayX(5);
  const read = dayX(8);
  const readers = { x: read + 32, width: 112, height: slipHeight };
  const rest = { x: dayX(22), width: dayX(31) - dayX(22), height: 140 };
  return (
    <Drawing
      id="operations-after"
      height={height}
      title="One week’s hours after automation, over the same month"
      description="41.5 hours are typed once, on site, on the 5th. On the 8th a person approves them, and payroll, job cost and invoice read the same entry that day. There is no typing for the rest of the month."
    >
      <Draw
        route={`M${read} 56V232M${read} 132h32M${read} 182h32M${read} 232h32`}
        line={`M${entry} 56V${rulerTop}M${read} 232V${rulerTop}`}
      />
      <Part x={entry} y={16} width={194} height={slipHeight} label="On site 41.5 h" pen="chalk" />
      <circle className="solid-safety" cx={read} cy={84} r="8" />
      <Note x={read + 20} y={89} text="a person approves" />
      <Part {...readers} y={112} label="Payroll" />
      <Part {...readers} y={162} label="Job cost" />
      <Part {...readers} y={212} label="Invoice" />
      <Part {...rest} y={112} label={["nothing", "to type"]} pen="hidden" />
      <MonthRuler />
      <Delay from={5} to={8} label="typed once" />
    </Drawing>
  );
}
