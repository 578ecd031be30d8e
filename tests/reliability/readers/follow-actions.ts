import type { Action } from "./actions.ts";
import { beginsToWait, isQuiet } from "./changes-to-tell.ts";
import { type Answer, type ExpectedReader, expectedAfter, type LinkOf } from "./expected-reader.ts";

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
