import { useLayoutEffect, useRef, useState } from "react";
import { dueRuler } from "#content/objects.ts";
import { piece } from "../alive/piece.tsx";
import { Draw, Drawing, dot, Note } from "../drawings/pens.tsx";

/** Construction Act, s. 6.4(1). */
const daysToPay = 28;
const mostDaysLate = 30;
const exampleDaysLate = 16;
const left = 20;
const xOf = (day: number) => Math.round(left + (day / (daysToPay + mostDaysLate)) * 380);
const top = 96;

export const DueRuler = piece("DueRuler", () => {
  const slider = useRef<HTMLInputElement>(null);
  const [waited, setWaited] = useState(exampleDaysLate);
  const read = () => setWaited(Number(slider.current?.value));
  const sum = dueRuler.sum(waited);
  const due = waited + daysToPay;
  const ticks = Array.from({ length: daysToPay + mostDaysLate + 1 }, (_, day) => {
    return `M${xOf(day)} ${top}v${day % 7 ? 9 : 18}`;
  });

  // Moved before the script came.
  useLayoutEffect(read, []);

  return (
    <div className="sheet lifted object">
      <figure>
        <Drawing id="due-ruler" height={170} title={dueRuler.heading} description={sum}>
          <Draw
            part={`M${left} ${top}h380v40h-380z`}
            tint={`M${xOf(waited)} ${top}H${xOf(due)}v40H${xOf(waited)}z`}
            line={ticks.join("")}
            hidden={`M${xOf(daysToPay)} ${top}v58`}
            route={`M${xOf(waited)} 56v40M${xOf(waited)} 56H${xOf(due)}v40`}
            safety={dot(xOf(due), 56, 8)}
          />
          <Note x={left} y={160} textAnchor="middle" text="0" />
          <Note x={xOf(daysToPay)} y={168} textAnchor="middle" text="28" />
          <Note x={xOf(waited)} y={40} textAnchor="middle" text={dueRuler.billed} />
          <Note x={xOf(due)} y={40} textAnchor="middle" text={dueRuler.due} />
        </Drawing>
      </figure>
      <p>
        <output>{sum}</output>
      </p>
      <label className="small with-scripts">
        {dueRuler.label}
        <input
          className="field-input"
          type="range"
          max={mostDaysLate}
          defaultValue={exampleDaysLate}
          ref={slider}
          onInput={read}
        />
      </label>
    </div>
  );
});
