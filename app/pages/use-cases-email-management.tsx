import { emailManagement } from "#content/use-cases/email-management.ts";
import { Draw, Drawing, Label, Note } from "../drawings/pens.tsx";
import { Proof } from "../drawings/proof.tsx";
import { metaOfUseCase, pageOfUseCase } from "../sections/use-case/use-case-page.tsx";

export const meta = metaOfUseCase(emailManagement);

export default pageOfUseCase(emailManagement, {
  before: <Before />,
  after: <After />,
  tally: <HoursStruckOut />,
  sidesBeside: true,
  layout: "marks-beside",
});

const height = 372;
const sheetHeight = 36;
const urgent = "Leak, unit 904";
const onTop = [
  "Chair flyer",
  "Webinar tomorrow",
  "Invoice, no HST",
  "Following up",
  "Price increase",
];
const below = ["Parking, unit 7", "Status certificate", urgent];
const gap = 28;
const floor = 24 + (onTop.length + below.length) * sheetHeight + gap;

function Before() {
  return (
    <Drawing
      id="email-management-before"
      height={height}
      title="Section through the inbox at seven in the morning"
      description="Eighty unread emails drawn as one pile of paper, cut open. From the top: a chair flyer, a webinar, an invoice without an HST number; then a break in the drawing, and at the very bottom a leak in unit 904."
    >
      {[...onTop, ...below].map((label, index) => (
        <Sheet key={label} label={label} index={index} />
      ))}
      <Draw
        y={24 + onTop.length * sheetHeight + gap / 2}
        line="M20-5h110l8-7 10 14 8-7h130M20 5h110l8-7 10 14 8-7h130"
      />
      <path className="part-line" d={`M10 ${floor}H320`} strokeWidth="2" />
      <Draw
        line={`M24 ${floor}${"l-12 14m32-14".repeat(15)}`}
        dimension={`M300 24h48M296 ${floor}h52M338 24V${floor}`}
        ink={`m338 24-3.5 9h7zM338 ${floor}l-3.5-9h7z`}
      />
      <Note x={348} y={floor / 2} text="80" />
      <Note x={348} y={floor / 2 + 20} text="unread" />
    </Drawing>
  );
}

function After() {
  return (
    <div className="inbox">
      {emailManagement.sorted.map(({ message, to, says }, index) => (
        <details key={message} open={index === 0}>
          <summary className="apart">
            {message} <span className="lettering accent">{to}</span>
          </summary>
          <p className="small">{says}</p>
        </details>
      ))}
    </div>
  );
}

function HoursStruckOut() {
  const hours = Array.from({ length: 25 }, (_, index) => {
    return `${26 + 76 * (index % 5)} ${24 + 50 * Math.floor(index / 5)}`;
  });
  return (
    <Proof height={308}>
      <Draw
        part={hours.map((place) => `M${place}h64v38h-64z`).join("")}
        route={hours.map((place) => `M${place}m-6 42 76-46`).join("")}
      />
      <Label x={26} y={296} text="25 hours struck out" />
    </Proof>
  );
}

function Sheet({ label, index }: { label: string; index: number }) {
  const x = 20 + ((index * 7) % 5) * 5;
  const y = 24 + index * sheetHeight + (index < onTop.length ? 0 : gap);
  const pen = label === urgent ? "safety" : "part";
  return (
    <g>
      <Draw x={x} y={y} {...{ [pen]: `M0 0h256v${sheetHeight}H0z` }} />
      <Label x={x + 14} y={y + 23} text={label} />
    </g>
  );
}
