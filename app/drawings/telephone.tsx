import type { ReactNode } from "react";
import { telephone } from "#content/telephone.ts";
import { Button } from "../ui/button.tsx";
import { BookedWeek, missedCall } from "./lead-intake.tsx";
import { Draw, Label } from "./pens.tsx";

/**
 * A press plays the exchange in its children's place; without children it shows as finished. Its
 * styles time it, and app/alive/first-hand.js starts it, so that a first press waits for no script.
 */
export function Telephone({ children }: { children?: ReactNode }) {
  return (
    <div className={`telephone ${children ? "" : "shown"}`}>
      {children}
      <div className="talk pad">
        <Strip />
        <div role="log" aria-label={telephone.log}>
          <ol className="thread">
            {telephone.messages.map(({ by, text }) => (
              <li className="sheet" key={text}>
                <span className="sr-only">{telephone[by]}: </span>
                <Message text={text} />
              </li>
            ))}
          </ol>
        </div>
        <div className="talk-end with-scripts">
          <p className="field-row">
            <input
              className="field-input"
              id="firm"
              placeholder={telephone.firm}
              aria-label={telephone.firm}
              autoComplete="organization"
              maxLength={40}
            />
            <Button variant="plain" data-press="">
              {telephone.copy}
            </Button>
          </p>
          <p className="small" role="status" />
        </div>
      </div>
      <p className="talk-start with-scripts">
        <Button variant="plain" data-plays="">
          {telephone.play}
        </Button>
      </p>
    </div>
  );
}

function Message({ text }: { text: string }) {
  const [before, after] = text.split("{firm}");
  if (after === undefined) return text;
  return (
    <>
      {before}
      <b className="firm">{telephone.firm}</b>
      {after}
    </>
  );
}

function Strip() {
  return (
    <svg className="drawing" viewBox="0 0 346 72" aria-hidden="true" fontSize="16">
      <path className="route" pathLength="1" d="M47 46H228" />
      <Draw x={14} y={8} {...missedCall} />
      <Label x="138" y="34" textAnchor="middle" text={telephone.sent} />
      <BookedWeek x={228} y={6} day={null} />
      <g className="talk-booked">
        <BookedWeek x={228} y={6} day={telephone.bookedDay} />
      </g>
    </svg>
  );
}

export function bringTelephoneAlive(): void {
  const talk = document.querySelector(".talk");
  const field = talk?.querySelector("input");
  const firm = talk?.querySelector(".firm");
  const said = talk?.querySelector("[role=status]");
  if (!field || !firm || !said) return;
  const say = (words: string) => {
    said.textContent = words;
  };

  function putIn(name: string) {
    if (firm) firm.textContent = name.trim() || telephone.firm;
    say("");
  }
  // It may be written before this script.
  putIn(field.value);
  field.addEventListener("input", () => putIn(field.value));
  talk?.querySelector("button")?.addEventListener("click", () => {
    const [message] = telephone.messages;
    const own = message.text.replace("{firm}", firm.textContent);
    // No clipboard where the page isn't secure.
    Promise.resolve(navigator.clipboard?.writeText(own) ?? Promise.reject()).then(
      () => say(telephone.copied),
      () => say(telephone.copyYourself),
    );
  });
}
