import { useLayoutEffect, useRef, useState } from "react";
import { gauge } from "#content/objects.ts";
import { piece } from "../alive/piece.tsx";
import { Draw, Drawing, Note } from "../drawings/pens.tsx";
import { readNumber, writeDollars } from "../worksheet/calculation-sheet.tsx";

const endPercent = 20;
const capPercent = 10;

export const Gauge = piece("Gauge", () => {
  const sheet = useRef<HTMLDivElement>(null);
  const [texts, setTexts] = useState([gauge.exampleEstimate, gauge.exampleExtras]);
  const read = () =>
    setTexts([...(sheet.current?.querySelectorAll("input") ?? [])].map(({ value }) => value));
  const [estimate = null, ...each] = [texts[0], ...(texts[1] ?? "").split(/[,;]\s+/)].map((text) =>
    readNumber(text ?? ""),
  );
  const extras = each.reduce<number>((sum, extra) => sum + (extra ?? Number.NaN), 0);
  const percent = estimate && !Number.isNaN(extras) ? (extras / estimate) * 100 : null;
  const room = Math.round((estimate ?? 0) * capPercent - extras * 100) / 100;
  const sum =
    percent === null
      ? gauge.unread
      : room < 0
        ? gauge.over(writeDollars(-room))
        : gauge.left(writeDollars(room));

  // Written before the script came.
  useLayoutEffect(read, []);

  return (
    <div className="sheet lifted object" ref={sheet} onInput={read}>
      <Dial percent={percent} sum={sum} />
      <p>
        <output>{sum}</output>
      </p>
      <div className="field-row with-scripts">
        {(["estimate", "extras"] as const).map((name, index) => (
          <label className="small" key={name}>
            {gauge[name]}
            <input
              className="field-input"
              name={name}
              inputMode="decimal"
              autoComplete="off"
              maxLength={13}
              defaultValue={[gauge.exampleEstimate, gauge.exampleExtras][index]}
            />
          </label>
        ))}
      </div>
    </div>
  );
});

/** The dial opens upwards. */
function onDial(percent: number, radius: number): string {
  const turn = Math.PI * (1 - Math.min(percent, endPercent) / endPercent);
  return `${Math.round(210 + radius * Math.cos(turn))} ${Math.round(180 - radius * Math.sin(turn))}`;
}

function Dial({ percent, sum }: { percent: number | null; sum: string }) {
  const ticks = Array.from({ length: endPercent + 1 }, (_, at) => {
    return `M${onDial(at, 150)}L${onDial(at, at % 5 ? 140 : 130)}`;
  });
  return (
    <figure>
      <Drawing id="gauge" height={200} title={gauge.heading} description={sum}>
        <Draw
          tint={`M60 180A150 150 0 0 1 ${onDial(capPercent, 150)}V80A100 100 0 0 0 110 180z`}
          line={`M60 180A150 150 0 0 1 360 180${ticks.join("")}`}
          hidden={`M210 180L${onDial(capPercent, 150)}`}
        />
        <Note x={210} y={22} textAnchor="middle" text="10%" />
        <Note x={42} y={185} textAnchor="middle" text="0" />
        <Note x={384} y={185} textAnchor="middle" text="20%" />
        {percent !== null && <Draw route={`M210 180L${onDial(percent, 122)}`} />}
        <circle className="part" cx="210" cy="180" r="9" />
      </Drawing>
    </figure>
  );
}
