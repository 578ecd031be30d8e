import { Dimension, Drawing, Label, Note, Part } from "../pens.tsx";

const height = 346;
const start = 30;
const week = 36;
const weeks = 10;
const axis = 186;
const messages = 138;

const fridayOf = (number: number) => start + week * number;

export function ClientManagementBefore() {
  return (
    <Drawing
      id="client-management-before"
      height={height}
      title="Ten weeks of a job today"
      description="A line of ten weeks. The firm sends an update after the first and second week, then falls silent to the end. The client asks in weeks four, seven and nine. In week six an extra is agreed by phone and not written down. In week ten the bill is disputed."
    >
      <Axis />
      {[1, 2].map((number) => (
        <Update key={number} number={number} />
      ))}
      {[4, 7, 9].map((number) => (
        <Question key={number} number={number} />
      ))}
      <Dimension from={fridayOf(2)} to={fridayOf(10)} at={72} reach={[126, 178]} label="silence" />
      <path className="hidden-line" d={`M${fridayOf(6)} ${axis + 6}V236`} />
      <Part x={132} y={236} width={184} height={40} label="Extra, by phone" tone="hidden" />
      <path className="part-line" d={`M${fridayOf(10)} ${axis + 6}V290`} />
      <Part x={244} y={290} width={164} height={40} label="Disputed bill" tone="safety" />
    </Drawing>
  );
}

export function ClientManagementAfter() {
  const fridays = Array.from({ length: weeks }, (_, index) => index + 1);
  return (
    <Drawing
      id="client-management-after"
      height={height}
      title="The same ten weeks after automation"
      description="The same line of ten weeks. An update goes out every Friday. Two changes, in weeks three and six, hang from the line as change orders, each signed before the work starts. In week ten the bill is paid."
    >
      <Axis />
      <path className="route" d={`M${fridayOf(1)} ${messages}H${fridayOf(weeks)}`} />
      {fridays.map((number) => (
        <Update key={number} number={number} />
      ))}
      <Dimension from={fridayOf(3)} to={fridayOf(4)} at={72} reach={126} label="Friday to Friday" />
      {[3, 6].map((number, index) => (
        <SignedChange key={number} number={number} label={`Change ${index + 1}`} />
      ))}
      <Note x={192} y={322} textAnchor="middle" text="signed before the work" />
      <path className="part-line" d={`M${fridayOf(10)} ${axis + 6}V240`} />
      <Part x={318} y={240} width={88} label="Paid" tone="chalk" />
    </Drawing>
  );
}

function Axis() {
  const ticks = Array.from({ length: weeks + 1 }, (_, index) => start + week * index);
  return (
    <g>
      <path
        className="part-line"
        strokeWidth="2"
        d={`M${start} ${axis}H${fridayOf(weeks)}${ticks.map((x) => `M${x} ${axis - 6}v12`).join("")}`}
      />
      {ticks.slice(1).map((x, index) => (
        <Note key={x} x={x - week / 2} y={axis + 22} textAnchor="middle" text={index + 1} />
      ))}
    </g>
  );
}

function Update({ number }: { number: number }) {
  return (
    <g>
      <path className="part-line" d={`M${fridayOf(number)} ${axis - 6}V${messages}`} />
      <circle className="solid-chalk" cx={fridayOf(number)} cy={messages} r="8" />
    </g>
  );
}

function Question({ number }: { number: number }) {
  return (
    <g>
      <path className="part-line" d={`M${fridayOf(number)} ${axis - 6}V${messages}`} />
      <circle className="solid-safety" cx={fridayOf(number)} cy={messages - 2} r="14" />
      <Label x={fridayOf(number)} y={messages + 3} textAnchor="middle" text="?" />
    </g>
  );
}

function SignedChange({ number, label }: { number: number; label: string }) {
  const x = fridayOf(number);
  return (
    <g>
      <path className="part-line" d={`M${x} ${axis + 6}V234`} />
      <rect className="part" x={x - 48} y="234" width="96" height="62" />
      <Label x={x} y="258" textAnchor="middle" text={label} />
      <path
        className="route"
        strokeWidth="2"
        d={`m${x - 30} 282c8-14 12-14 12-4s8 8 12-2 8-8 10 0 8 6 12-2 8-2 14 0`}
      />
    </g>
  );
}
