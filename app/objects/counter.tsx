import { useLayoutEffect, useRef, useState } from "react";
import { counter } from "#content/objects.ts";
import { counterRules } from "#content/rules.ts";
import { piece } from "../alive/piece.tsx";
import { Draw, Drawing, Part } from "../drawings/pens.tsx";
import { firstRule } from "./first-rule.ts";

/** Shown first, and without scripts: one that stops. */
const shownFirst = 2;

/** A message's way through an agent's rooms, drawn and written down: out, or to the counter. */
export const Counter = piece("Counter", () => {
  const field = useRef<HTMLSelectElement>(null);
  const [chosen, setChosen] = useState(shownFirst);
  const { to, says } = firstRule(counterRules, counter.messages[chosen] ?? "");
  const read = () => setChosen(field.current?.selectedIndex ?? shownFirst);

  // A visitor may have chosen before the script came.
  useLayoutEffect(read, []);

  return (
    <div className="sheet lifted object">
      <select
        className="field-input"
        aria-label={counter.legend}
        ref={field}
        defaultValue={counter.messages[shownFirst]}
        onInput={read}
      >
        {counter.messages.map((message) => (
          <option key={message}>{message}</option>
        ))}
      </select>
      <figure className="below">
        <Drawing
          id="counter-way"
          height={152}
          title={counter.drawing[to]}
          description={`${says} ${counter.ends[to]}`}
        >
          <Draw route={to === "out" ? "M104 40h32M256 40h26" : "M104 40h32M196 62v32"} />
          <Part x={8} y={18} width={96} label={counter.inbox} />
          <Part x={136} y={18} width={120} label={counter.rules} />
          <Part
            x={282}
            y={18}
            width={130}
            label={counter.out}
            pen={to === "out" ? "chalk" : "hidden"}
          />
          <Part
            x={136}
            y={94}
            width={120}
            label={counter.counter}
            pen={to === "out" ? "hidden" : "safety"}
          />
        </Drawing>
      </figure>
      <p className="small below" role="log" aria-label={counter.log}>
        <b>{says}</b> {counter.ends[to]}
      </p>
    </div>
  );
});
