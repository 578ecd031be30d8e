import type { Action } from "./actions.ts";

/**
 * What a mailbox may be, as a person would say it and not as the code keeps it: who it is to the newsletter, what waits
 * beside that, and which link answers for it.
 */
export type ExpectedReader = {
  is: "nobody" | "reader" | "bounced" | "gone";
  pending: "nothing" | "held" | "waiting";
  /** Erased, or removed after leaving, and not come back since by their own link. */
  erased: boolean;
};

export const unknownReader: ExpectedReader = { is: "nobody", pending: "nothing", erased: false };

export type Answer = "new" | "duplicate" | "yes" | "no" | "told nothing";

/** What an action's link answers for: nobody any more, the mailbox, or the sign-up that waits. */
export type LinkOf = "nobody" | "mailbox" | "what waits";

/** `softBounces`: how many soft bounces count, with those that this action reports. */
type Beside = { softBounces: number };

const softBouncesMax = 5;

/** What one action makes of a mailbox, and how it is answered. */
function expectedAfter(
  before: ExpectedReader,
  action: Action,
  link: LinkOf,
  { softBounces }: Beside,
): { after: ExpectedReader; answer: Answer } {
  const { is, pending, erased } = before;
  const known = is !== "nobody" || pending !== "nothing";
  const becomes = (change: Partial<ExpectedReader>, answer: Answer) => ({
    after: { ...before, ...change },
    answer,
  });
  switch (action.do) {
    case "sign up": {
      const counts = is === "reader" || pending === "waiting";
      if (action.suspected)
        return becomes(
          counts || is === "bounced" || pending === "held" ? {} : { pending: "held" },
          "new",
        );
      if (is === "bounced") return becomes({ pending: "waiting" }, "duplicate");
      if (counts) return becomes({}, "duplicate");
      return becomes({ pending: "waiting" }, "new");
    }
    case "confirm":
      if (link === "what waits" && pending === "waiting") {
        return becomes({ is: "reader", pending: "nothing", erased: false }, "yes");
      }
      return becomes({}, is === "reader" && link !== "nobody" ? "told nothing" : "no");
    case "leave":
      if (link === "nobody") return becomes({}, "no");
      return becomes(known ? { is: "gone", pending: "nothing" } : {}, known ? "yes" : "no");
    case "take off":
      return becomes(known ? { is: "gone", pending: "nothing" } : {}, known ? "yes" : "no");
    case "release":
      if (is === "bounced") return becomes({ is: "reader", pending: "nothing" }, "yes");
      return becomes(
        pending === "held" ? { pending: "waiting" } : {},
        pending === "held" ? "yes" : "no",
      );
    case "import":
      // In the other program they have left or bounced at this moment.
      if (action.as === "left" && (is === "reader" || is === "bounced")) {
        return becomes({ is: "gone", pending: "nothing" }, "yes");
      }
      if (action.as === "bounced" && is === "reader") return becomes({ is: "bounced" }, "yes");
      if (known || erased) return becomes({}, "no");
      if (action.as === "waiting") return becomes({ pending: "waiting" }, "yes");
      return becomes({ is: importedAs[action.as] }, "yes");
    case "report": {
      const ends = action.kind !== "soft" || softBounces >= softBouncesMax;
      return becomes(is === "reader" && ends ? { is: "bounced" } : {}, known ? "yes" : "no");
    }
    case "remove":
      return becomes(
        { is: "nobody", pending: "nothing", erased: erased || is === "gone" },
        known ? "yes" : "no",
      );
    case "erase":
      return becomes({ is: "nobody", pending: "nothing", erased: erased || known }, "told nothing");
  }
}

const importedAs = { confirmed: "reader", bounced: "bounced", left: "gone" } as const;

/** What the webhook believes of a reader. */
export type Told = "nothing" | "subscribed" | "confirmed";

/** What the webhook hears of one action: one of these. */
export function changesToTell(
  before: ExpectedReader,
  after: ExpectedReader,
  action: Action,
  told: Told,
): string[][] {
  switch (action.do) {
    case "sign up":
    case "release":
      return [beginsToWait(before, after) && !isQuiet(before) ? ["subscribed"] : []];
    case "confirm":
      if (before.is === "bounced") return [[]];
      return [before.pending === "waiting" && after.is === "reader" ? ["confirmed"] : []];
    case "leave":
    case "take off":
    case "import": {
      const leaves = before.is !== "gone" && after.is === "gone";
      const wasReader = before.is === "reader" || before.is === "bounced";
      return [leaves && (wasReader || told !== "nothing") ? ["unsubscribed"] : []];
    }
    case "report":
      return [[]];
    case "remove":
    case "erase":
      // Where the call about the beginning had not been made yet, it was taken back.
      return told === "nothing" ? [[]] : [[], ["unsubscribed"]];
  }
}

/** Whether the webhook hears nothing of their sign-ups: they are known to it as gone, or were erased. */
export function isQuiet({ is, erased }: ExpectedReader): boolean {
  return is === "gone" || is === "bounced" || erased;
}

function beginsToWait(before: ExpectedReader, after: ExpectedReader): boolean {
  return before.pending !== "waiting" && after.pending === "waiting";
}

const softBounceDaysMs = 30 * 24 * 60 * 60_000;

/** When they came, and when the reader last confirmed or was released: those after that count. */
export type SoftBounces = { at: number[]; since: number };

export const noSoftBounces: SoftBounces = { at: [], since: Number.NEGATIVE_INFINITY };

export type Followed = {
  after: ExpectedReader;
  expectedAnswers: Answer[];
  /** By a removal or an erasure. */
  ended: boolean;
  confirmed: boolean;
  /** Somebody signed up of whom the webhook may hear so: not gone, bounced or erased at that moment. */
  beganAnew: boolean;
  softBounces: SoftBounces;
};

/** What the actions make of a mailbox in this order; more than one where a link may have been renewed in between. */
export function follow(
  { softBounces, nowMs, ...before }: ExpectedReader & { softBounces: SoftBounces; nowMs: number },
  steps: { action: Action; link?: LinkOf; index: number }[],
): Followed[] {
  let outcomes: Followed[] = [
    {
      after: before,
      expectedAnswers: [],
      ended: false,
      confirmed: false,
      beganAnew: false,
      softBounces,
    },
  ];
  const renewed = new Set<Followed>();
  for (const { action, link = "nobody", index } of steps) {
    outcomes = outcomes.flatMap((sofar) => {
      const links: LinkOf[] = sofar.ended ? ["nobody"] : [link];
      if (!sofar.ended && link === "what waits" && renewed.has(sofar)) links.push("mailbox");
      return links.map((one) => {
        const reported = withReport(sofar.softBounces, sofar.after, action, nowMs);
        const { after, answer } = expectedAfter(sofar.after, action, one, {
          softBounces: countSoftBounces(reported, nowMs),
        });
        const expectedAnswers = [...sofar.expectedAnswers];
        expectedAnswers[index] = answer;
        const forgets = action.do === "remove" || action.do === "erase";
        const known = sofar.after.is !== "nobody" || sofar.after.pending !== "nothing";
        const confirms =
          action.do === "confirm" && answer === "yes" && sofar.after.pending === "waiting";
        const begins =
          (action.do === "release" && answer === "yes") ||
          (confirms && sofar.after.is !== "reader");
        const next = {
          softBounces: begins ? { ...reported, since: nowMs } : reported,
          after,
          expectedAnswers,
          ended: sofar.ended || (forgets && known),
          confirmed: sofar.confirmed || confirms,
          beganAnew: sofar.beganAnew || (!isQuiet(sofar.after) && beginsToWait(sofar.after, after)),
        };
        if (action.do === "sign up" || action.do === "release") renewed.add(next);
        return next;
      });
    });
  }
  return outcomes;
}

/** The soft bounces with those that an action reports of somebody who is known, without them where it forgets everything. */
function withReport(
  softBounces: SoftBounces,
  { is, pending }: ExpectedReader,
  action: Action,
  nowMs: number,
): SoftBounces {
  if (action.do === "remove" || action.do === "erase") return noSoftBounces;
  const isKnown = is !== "nobody" || pending !== "nothing";
  if (action.do !== "report" || action.kind !== "soft" || !isKnown) return softBounces;
  const { at, since } = softBounces;
  return { at: [...at, ...Array(action.mails).fill(nowMs)], since };
}

function countSoftBounces({ at, since }: SoftBounces, nowMs: number): number {
  return at.filter((one) => one > since && one > nowMs - softBounceDaysMs).length;
}

/** Whether an answer is as expected. */
export function matches(expected: Answer | undefined, answer: Answer): boolean {
  return expected === "told nothing" || expected === answer;
}
