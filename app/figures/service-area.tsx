import { Dimension, Drawing } from "./pens.tsx";

/** Positions are the towns' own, projected at 470 units a degree of latitude; labels stand where there is room. */
const towns = [
  { name: "Burlington", x: 43, y: 286, label: { x: 62, y: 308, anchor: "start" } },
  { name: "Oakville", x: 85, y: 230, label: { x: 114, y: 250, anchor: "start" } },
  { name: "Mississauga", x: 99, y: 172, label: { x: 136, y: 200, anchor: "start" } },
  { name: "Brampton", x: 57, y: 118, label: { x: 57, y: 106, anchor: "middle" } },
  { name: "Vaughan", x: 146, y: 52, label: { x: 146, y: 40, anchor: "middle" } },
  { name: "Markham", x: 217, y: 42, label: { x: 217, y: 30, anchor: "middle" } },
  { name: "Pickering", x: 297, y: 56, label: { x: 308, y: 86, anchor: "start" } },
  { name: "Oshawa", x: 376, y: 24, label: { x: 362, y: 22, anchor: "end" } },
] as const;

/** The north shore of Lake Ontario as a surveyor would sketch it, with Toronto as the datum and the 401 as the line. */
export function ServiceArea() {
  return (
    <Drawing
      id="service-area"
      height={330}
      title="Service area"
      description="The north shore of Lake Ontario from Burlington to Oshawa along Highway 401, with Toronto in the middle and Oakville, Mississauga, Brampton, Vaughan, Markham and Pickering around it."
    >
      <path
        className="shore"
        d="M-4 334 46 300 92 244 121 192 160 154 192 150 245 117 298 74 351 53 390 42 424 34V334Z"
      />
      <path className="route" d="M-4 232 60 178 128 120 185 94 240 78 297 56 340 42 376 24 424 8" />
      <text className="road" x="150" y="96" textAnchor="end">
        401
      </text>
      {towns.map(({ name, x, y, label }) => (
        <g key={name}>
          <circle className="part" cx={x} cy={y} r="4.5" />
          <text x={label.x} y={label.y} textAnchor={label.anchor}>
            {name}
          </text>
        </g>
      ))}
      <circle className="solid-safety" cx="190" cy="142" r="8" />
      <text className="datum" x="188" y="124" textAnchor="middle">
        Toronto
      </text>
      <text x="312" y="170" textAnchor="middle" className="water">
        Lake Ontario
      </text>
      <Dimension from={250} to={356} at={276} reach={262} label="25 km" />
    </Drawing>
  );
}
