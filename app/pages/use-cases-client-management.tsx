import { clientManagement } from "#content/use-cases/client-management.ts";
import { Dimension, Draw, Drawing, dot, Label, Note, Part } from "../drawings/pens.tsx";
import { Shortened } from "../drawings/proof.tsx";
import { BookingLink, metaOfUseCase, pageOfUseCase } from "../sections/use-case/use-case-page.tsx";

export const meta = metaOfUseCase(clientManagement);

export default pageOfUseCase(clientManagement, {
  before: <Before />,
  after: <After />,
  tally: <Shortened part={0.45} />,
  booking: BookingLink,
});

const height = 346;
const start = 30;
const week = 36;
const weeks = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const axis = 186;
const messages = 138;

const fridayOf = (number: number) => start + week * number;

function Before() {
  return (
    <Drawing
      id="client-management-before"
      height={height}
      title="Ten weeks of a job today"
      description="A line of ten weeks. The firm sends an update after the first and second week, then falls silent to the end. The client asks in weeks four, seven and nine. In week six an extra is agreed by phone and not written down. In week ten the bill is disputed."
    >
      <Axis />
      <Updates after={[1, 2]} />
      {[4, 7, 9].map(fridayOf).map((x) => (
        <g key={x}>
          <Draw line={`M${x} ${axis - 6}V${messages}`} safety={dot(x, messages - 2, 14)} />
          <Label x={x} y={messages + 3} textAnchor="middle" text="?" />
        </g>
      ))}
      <Dimension from={fridayOf(2)} to={fridayOf(10)} at={72} reach={[126, 178]} label="silence" />
      <Draw hidden={`M${fridayOf(6)} ${axis + 6}V236`} line={`M${fridayOf(10)} ${axis + 6}V290`} />
      <Part x={132} y={236} width={184} height={40} label="Extra, by phone" pen="hidden" />
      <Part x={244} y={290} width={164} height={40} label="Disputed bill" pen="safety" />
    </Drawing>
  );
}

function After() {
  return (
    <Drawing
      id="client-management-after"
      height={height}
      title="The same ten weeks after automation"
      description="The same line of ten weeks. An update goes out every Friday. Two changes, in weeks three and six, hang from the line as change orders, each signed before the work starts. In week ten the bill is paid."
    >
      <Axis />
      <Draw route={`M${fridayOf(1)} ${messages}H${fridayOf(10)}`} />
      <Updates after={weeks} />
      <Dimension from={fridayOf(3)} to={fridayOf(4)} at={72} reach={126} label="Friday to Friday" />
      <SignedChange x={fridayOf(3)} label="Change 1" />
      <SignedChange x={fridayOf(6)} label="Change 2" />
      <Note x={192} y={322} textAnchor="middle" text="signed before the work" />
      <Draw line={`M${fridayOf(10)} ${axis + 6}V240`} />
      <Part x={318} y={240} width={88} label="Paid" pen="chalk" />
    </Drawing>
  );
}

function Axis() {
  const ticks = [0, ...weeks].map((number) => `M${fridayOf(number)} ${axis - 6}v12`);
  return (
    <g>
      <Draw line={`M${start} ${axis}H${fridayOf(10)}${ticks.join("")}`} />
      {weeks.map((number) => (
        <Note
          key={number}
          x={fridayOf(number - 0.5)}
          y={axis + 22}
          textAnchor="middle"
          text={number}
        />
      ))}
    </g>
  );
}

/** On the Fridays of these weeks. */
function Updates({ after }: { after: readonly number[] }) {
  const fridays = after.map(fridayOf);
  return (
    <Draw
      line={fridays.map((x) => `M${x} ${axis - 6}V${messages}`).join("")}
      chalk={fridays.map((x) => dot(x, messages, 8)).join("")}
    />
  );
}

function SignedChange({ x, label }: { x: number; label: string }) {
  return (
    <g>
      <Draw line={`M${x} ${axis + 6}V234`} part={`M${x - 48} 234h96v62h-96z`} />
      <Label x={x} y="258" textAnchor="middle" text={label} />
      <Draw route={`m${x - 30} 282c8-14 12-14 12-4s8 8 12-2 8-8 10 0 8 6 12-2 8-2 14 0`} />
    </g>
  );
}
