import { type FormEvent, useEffect, useRef, useState } from "react";
import { type TradeId, telephone } from "#content/telephone.ts";
import { piece } from "../alive/piece.tsx";
import { BookedWeek, missedCall, phone } from "../drawings/lead-intake.tsx";
import { Draw, Label } from "../drawings/pens.tsx";
import { Button } from "../ui/button.tsx";

type Caller = { firm: string; trade: TradeId };

/** The telephone shows what follows from this alone. */
type Talk = Caller & {
  isTexted: boolean;
  client: number | null;
  answer: number | null;
};

/** `isOpen` without a press, with an example. */
type TelephoneProps = { isOpen: boolean };

const textAfterSeconds = 3;

/** Answered by fixed rules. Nothing is sent. */
export const Telephone = piece("Telephone", ({ isOpen }: TelephoneProps) => {
  const [isShown, setIsShown] = useState(isOpen);
  if (isOpen) return <Stage isOpen />;
  return (
    <>
      <div className="facts talk-start with-scripts" inert={isShown}>
        <div>
          <Button variant="plain" data-press="" onClick={() => setIsShown(true)}>
            {telephone.try}
          </Button>
        </div>
      </div>
      {isShown && <Stage isOpen={false} />}
    </>
  );
});

function Stage({ isOpen }: TelephoneProps) {
  /** Null before the call. */
  const [talk, setTalk] = useState<Talk | null>(null);
  const [caller, setCaller] = useState<Caller>({ firm: "", trade: "trades" });
  const [seconds, setSeconds] = useState<number | null>(null);
  const controls = useRef<HTMLDivElement>(null);
  const status = useRef<HTMLParagraphElement>(null);
  const isUsed = useRef(!isOpen);
  const step = `${talk?.isTexted} ${talk?.client} ${talk?.answer}`;

  // The pressed button is gone; the keyboard goes on with what took its place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each step.
  useEffect(() => {
    const next = controls.current?.querySelector<HTMLElement>("input, button") ?? status.current;
    if (isUsed.current) next?.focus({ preventScroll: true });
  }, [step]);

  const isWaiting = talk !== null && !talk.isTexted;
  useEffect(() => {
    if (!isWaiting) return;
    const text = () => setTalk((now) => now && { ...now, isTexted: true });
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return text();
    let counted = 0;
    const clock = setInterval(() => {
      counted += 1;
      setSeconds(counted);
      if (counted >= textAfterSeconds) text();
    }, 1_000);
    addEventListener("beforeprint", text);
    return () => {
      clearInterval(clock);
      removeEventListener("beforeprint", text);
    };
  }, [isWaiting]);

  /** Chromium would lay out a removed focused element within the press. */
  function turnTo(next: Talk | null) {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    setTalk(next);
  }

  function miss(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const next = Object.fromEntries(fields) as Caller;
    isUsed.current = true;
    setSeconds(null);
    setCaller(next);
    turnTo({ ...next, isTexted: false, client: null, answer: null });
  }

  function say(choice: number) {
    if (!talk) return;
    turnTo(talk.client === null ? { ...talk, client: choice } : { ...talk, answer: choice });
  }

  const now = talked(talk ?? { ...caller, isTexted: isOpen, client: null, answer: null });
  return (
    <div className={`talk pad ${isOpen ? "sheet lifted" : ""}`}>
      <div className="sheet" role="log" aria-label={telephone.log}>
        <p className="lettering">
          {talk ? firmOf(talk) : isOpen ? telephone.example : telephone.you}
        </p>
        <ol className="thread">
          {now.messages.map(({ by, text }) => (
            <li className="sheet small" key={text}>
              <span className="sr-only">{by === "firm" ? telephone.you : telephone.client}: </span>
              {text}
            </li>
          ))}
        </ol>
      </div>
      <TalkDrawing talked={now} isWaiting={isWaiting} seconds={seconds} />
      <div className="talk-controls with-scripts" ref={controls}>
        <p className="small" role="status" ref={status} tabIndex={-1}>
          {isWaiting ? telephone.running : now.outcome?.says}
        </p>
        {talk === null && (
          <CallForm {...caller} isFirst={isOpen && !isUsed.current} onSubmit={miss} />
        )}
        {talk && now.choices.length > 0 && (
          <>
            <p className="small">{telephone.asClient}</p>
            <p className="cluster below">
              {now.choices.map((choice, index) => (
                <Button variant="plain" key={choice} onClick={() => say(index)}>
                  {choice}
                </Button>
              ))}
            </p>
          </>
        )}
        {talk && now.outcome && <Copy talk={talk} onAgain={() => turnTo(null)} />}
      </div>
    </div>
  );
}

type CallFormProps = Caller & {
  /** A press may come before this script. */
  isFirst: boolean;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
};

function CallForm({ firm, trade, isFirst, onSubmit }: CallFormProps) {
  return (
    <form className="field-row below" onSubmit={onSubmit}>
      <input
        className="field-input"
        name="firm"
        aria-label={telephone.firm}
        placeholder={telephone.firm}
        autoComplete="organization"
        maxLength={40}
        defaultValue={firm}
      />
      <select
        className="field-input"
        name="trade"
        aria-label={telephone.trade}
        autoComplete="off"
        defaultValue={trade}
      >
        {Object.entries(telephone.inTrade).map(([id, { label }]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
      <Button type="submit" variant="plain" data-press={isFirst ? "" : undefined}>
        {telephone.miss}
      </Button>
    </form>
  );
}

function Copy({ talk, onAgain }: { talk: Talk; onAgain: () => void }) {
  const [said, setSaid] = useState("");

  async function copy() {
    try {
      await navigator.clipboard.writeText(telephone.textBack(firmOf(talk), talk.trade));
      setSaid(telephone.copied);
    } catch {
      setSaid(telephone.copyYourself);
    }
  }
  return (
    <p className="cluster below">
      <Button variant="plain" onClick={copy}>
        {telephone.copy}
      </Button>
      <Button variant="plain" onClick={onAgain}>
        {telephone.again}
      </Button>
      <span role="status">{said}</span>
    </p>
  );
}

type TalkDrawingProps = { talked: Talked; isWaiting: boolean; seconds: number | null };

function TalkDrawing({ talked, isWaiting, seconds }: TalkDrawingProps) {
  const { outcome, slot, messages } = talked;
  const rings = outcome?.to === "ring";
  const clock = seconds === null ? telephone.usual : telephone.seconds(seconds);
  return (
    <svg
      className="drawing"
      viewBox="0 0 130 340"
      overflow="visible"
      aria-hidden="true"
      fontSize="15"
    >
      <Draw x={48} y={6} {...missedCall} />
      <Label x="65" y="84" textAnchor="middle" text={telephone.missedAt} />
      {(isWaiting || messages.length > 0) && (
        <path className={`route ${isWaiting ? "running" : ""}`} pathLength="1" d="M65 94v14H-16" />
      )}
      <Label x="65" y="132" textAnchor="middle" text={clock} />
      <BookedWeek x={9} y={170} day={slot?.day ?? null} />
      <Label x="65" y="162" textAnchor="middle" text={telephone.week} />
      <Label x="65" y="250" textAnchor="middle" text={slot?.label ?? ""} />
      <Draw x={48} y={260} {...phone()} />
      {rings && <path className="cross ringing" d="M40 268q-8 20 0 40M90 268q8 20 0 40" />}
      <Label x="65" y="334" textAnchor="middle" text={rings ? telephone.rings : telephone.phone} />
    </svg>
  );
}

type Message = { by: "firm" | "client"; text: string };

type Talked = {
  messages: readonly Message[];
  choices: readonly string[];
  outcome: (typeof telephone.rules)[number] | null;
  /** Days count from Monday's 0. */
  slot: { day: number; label: string } | null;
};

function firmOf({ firm, trade }: Caller): string {
  return firm.trim() || telephone.inTrade[trade].example;
}

export function talked(talk: Talk): Talked {
  const { inTrade, last, callBack, rules, textBack } = telephone;
  const { clients, openings } = inTrade[talk.trade];
  const firm = firmOf(talk);
  if (!talk.isTexted) return { messages: [], choices: [], outcome: null, slot: null };
  const messages: Message[] = [{ by: "firm", text: textBack(firm, talk.trade) }];
  const client = clients[talk.client ?? -1];
  const outcome = rules[talk.client ?? -1];
  if (!client || !outcome) {
    return { messages, choices: clients.map(({ says }) => says), outcome: null, slot: null };
  }
  messages.push({ by: "client", text: client.says }, { by: "firm", text: client.asks });
  const answer = client.answers[talk.answer ?? -1];
  if (answer === undefined) {
    return { messages, choices: client.answers, outcome: null, slot: null };
  }
  const text = {
    ring: last.ring(firm),
    visit: last.visit(answer),
    price: last.price,
  }[outcome.to];
  messages.push({ by: "client", text: answer }, { by: "firm", text });
  const slot = {
    ring: null,
    visit: { day: openings[talk.answer ?? 0] ?? 0, label: answer },
    price: { day: 0, label: callBack },
  }[outcome.to];
  return { messages, choices: [], outcome, slot };
}
