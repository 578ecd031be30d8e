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

export type Asked = { action: Action; link: LinkOf };

/** How these actions, one after the other, may end and be answered. */
export function outcomesOf(
  before: ExpectedReader,
  [step, ...later]: readonly Asked[],
): { after: ExpectedReader; answers: Answer[] }[] {
  if (!step) return [{ after: before, answers: [] }];
  const { after, answer } = expectedAfter(before, step);
  const variants = [later];
  // What waits may have been given another link.
  if (step.action.do === "sign up" || step.action.do === "release") {
    variants.push(
      later.map((one) => (one.link === "what waits" ? { ...one, link: "mailbox" } : one)),
    );
  }
  return variants
    .flatMap((next) => outcomesOf(after, next))
    .map((outcome) => ({ after: outcome.after, answers: [answer, ...outcome.answers] }));
}

/** What one action makes of a mailbox, and how it is answered. */
function expectedAfter(
  before: ExpectedReader,
  { action, link }: Asked,
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
    case "report":
      return becomes(is === "reader" ? { is: "bounced" } : {}, known ? "yes" : "no");
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
    case "release": {
      const beginsToWait = before.pending !== "waiting" && after.pending === "waiting";
      // Who is gone or erased is known to the webhook as that.
      const isQuiet = before.is === "gone" || before.is === "bounced" || before.erased;
      return [beginsToWait && !isQuiet ? ["subscribed"] : []];
    }
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
