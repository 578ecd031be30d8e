import fc from "fast-check";
import type { ReportKind } from "#db/tables.ts";

/** A mailbox that many spellings lead to; the number keeps those of one sequence apart from all others. */
export type Mailbox = { key: string; spellings: string[] };

export function mailboxesOf(sequence: number): Mailbox[] {
  return [gmail(`ann.${sequence}`), elsewhere(`bo${sequence}`)];
}

function gmail(local: string): Mailbox {
  const bare = local.replaceAll(".", "");
  return {
    key: `${bare}@gmail.com`,
    spellings: [
      `${local}@gmail.com`,
      `${local.toUpperCase()}@Gmail.com`,
      `${bare}@googlemail.com`,
      `${local}+news@gmail.com`,
      `${fullWidth(bare)}@gmail.com`,
      `${bare}@gmail.com.`,
    ],
  };
}

function elsewhere(local: string): Mailbox {
  return {
    key: `${local}@xn--bcher-kva.example`,
    spellings: [
      `${local}@bücher.example`,
      `${local}@BÜCHER.example`,
      `${local}+1@xn--bcher-kva.example`,
      `${local}+2@xn--bcher-kva.example`,
      `${local}@bü\u00adcher.example`,
      `${local.slice(0, 1)}\u200b${local.slice(1)}@bücher.example`,
    ],
  };
}

function fullWidth(text: string): string {
  return text.replace(/[!-~]/g, (sign) => String.fromCodePoint(sign.charCodeAt(0) + 0xfee0));
}

/** Which mailbox, and which of its spellings. */
type Address = { mailbox: number; spelling: number };

const addressArbitrary = fc.record({ mailbox: fc.nat(1), spelling: fc.nat(5) });

/** What a visitor, a program or the operator can do to a mailbox. */
type Deed =
  | { do: "sign up"; suspected: boolean }
  /** With the link of one of the mails that arrived; `back` counts from the latest. */
  | { do: "confirm"; back: number }
  | { do: "leave"; back: number; way: "link" | "one_click" }
  | { do: "take off" }
  | { do: "release" }
  | { do: "import"; as: "waiting" | "confirmed" | "bounced" | "left" }
  /** Soft bounces, which have to be several, are counted in newsletter/bounces/mail-reports.test.ts. */
  | { do: "report"; kind: Exclude<ReportKind, "soft"> }
  | { do: "remove" }
  | { do: "erase" };

export type Action = Address & Deed;

export type Step =
  | { do: "one"; action: Action }
  /** At the same instant, of one mailbox. */
  | { do: "two at once"; actions: [Action, Action] }
  /** What happens between the beginning of its send and the hand-over, and at the instant of that. */
  | { do: "send an issue"; between: Action[]; during: Action | null }
  | { do: "wait"; minutes: number }
  /** The worker's attempt at everything that is due. */
  | { do: "deliver"; outcome: "arrives" | "fails" | "is given up" }
  | { do: "retry what was given up" };

const back = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(3));

const is = <const Word>(word: Word) => fc.constant(word);

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: is("sign up"),
      suspected: fc.integer({ max: 3, min: 0 }).map((n) => n === 0),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: is("confirm"), back }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: is("leave"), back, way: fc.constantFrom("link", "one_click") }),
  },
  { weight: 1, arbitrary: fc.record({ do: is("take off") }) },
  { weight: 2, arbitrary: fc.record({ do: is("release") }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: is("import"),
      as: fc.constantFrom("waiting", "confirmed", "confirmed", "bounced", "left"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: is("report"), kind: fc.constantFrom("hard", "complaint") }),
  },
  { weight: 1, arbitrary: fc.record({ do: is("remove") }) },
  { weight: 1, arbitrary: fc.record({ do: is("erase") }) },
);

const action: fc.Arbitrary<Action> = fc
  .tuple(addressArbitrary, deed)
  .map(([address, done]) => ({ ...address, ...done }));

const outcome = fc.oneof(
  { weight: 6, arbitrary: is("arrives") },
  fc.constantFrom("fails" as const, "is given up" as const),
);

export const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: is("one"), action }) },
  {
    weight: 3,
    arbitrary: fc.tuple(action, action).map(([first, second]) => ({
      do: "two at once" as const,
      actions: [first, { ...second, mailbox: first.mailbox }] as [Action, Action],
    })),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: is("wait"),
      minutes: fc.constantFrom(1, 20, 45, 60, 61, 200),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: is("send an issue"),
      between: fc.array(action, { maxLength: 2, size: "max" }),
      during: fc.option(action),
    }),
  },
  { weight: 7, arbitrary: fc.record({ do: is("deliver"), outcome }) },
  { weight: 1, arbitrary: fc.record({ do: is("retry what was given up") }) },
);
