import { Label } from "./pens.tsx";

/**
 * The audit's four steps as four lengths of one chalk line: tangled, measured, straightened, branched. They enter and
 * leave at one height, so they join side by side; the half unit aligns that height with the page's line.
 */
const lengths = {
  Identify: <Tangled />,
  Quantify: <Measured />,
  Automate: <Straightened />,
  Scale: <Branched />,
} as const;

type StepName = keyof typeof lengths;

export function LineLength({ step }: { step: StepName }) {
  return (
    <svg className="drawing" viewBox="0 -.5 280 120" aria-hidden="true" fontSize="14">
      {lengths[step]}
    </svg>
  );
}

function Tangled() {
  return (
    <>
      <path
        className="route"
        d="M-21 88H0c28 0 40-4 48-22 9-22-14-44-30-30-17 15 10 44 44 40 36-4 60-48 34-56-24-7-36 34-12 54 27 22 70-2 66-34-3-22-36-16-36 10 0 30 40 44 62 30 22-15 18-46-4-44-20 2-20 34 6 44 24 8 60 8 102 8"
      />
      <path
        className="solid-safety"
        d="M50 62a6 6 0 1 0 .1 0zM150 34a6 6 0 1 0 .1 0zM186 72a6 6 0 1 0 .1 0z"
      />
    </>
  );
}

function Measured() {
  const spans = [
    { from: 8, to: 92, label: "minutes" },
    { from: 92, to: 176, label: "errors" },
    { from: 176, to: 272, label: "dollars" },
  ] as const;
  return (
    <>
      <path className="route" d="M-21 88H280" />
      {spans.map(({ from, to, label }) => (
        <g key={label}>
          <path className="dimension" d={`M${from} 78V40M${to} 78V40M${from} 52H${to}`} />
          <path className="arrow" d={`m${from} 52 8-3v6zM${to} 52l-8-3v6z`} />
          <Label x={(from + to) / 2} y="34" textAnchor="middle" text={label} />
        </g>
      ))}
    </>
  );
}

function Straightened() {
  return (
    <>
      <path className="hidden-line" d="M30 88V36h58v26h54V28h58v34h50v26" />
      <path className="route" d="M-21 88H280" />
      <circle className="part" cx="30" cy="88" r="6" />
      <circle className="solid-safety" cx="140" cy="88" r="8" />
      <circle className="part" cx="250" cy="88" r="6" />
    </>
  );
}

function Branched() {
  return (
    <>
      <path className="route" d="M-21 88H262M60 88V58h160M120 58V28h58" />
      <path
        className="solid-chalk"
        d="m262 81 14 7-14 7zM220 51l14 7-14 7zM178 21l14 7-14 7z"
        stroke="none"
      />
      <circle className="solid-safety" cx="60" cy="88" r="7" />
      <Label x="272" y="116" textAnchor="end" text="day 90" />
    </>
  );
}
