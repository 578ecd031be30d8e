import type { Action } from "./actions.ts";

/**
 * What a mailbox may be, as a person would say it and not as the code keeps it: who it is to the newsletter, what waits
 * beside that, and which link answers for it.
 */
export type ExpectedReader = {
  is: "nobody" | "reader" | "gone";
  pending: "nothing" | "held" | "waiting";
  /** Erased, or removed after leaving, and not come back since by their own link. */
  erased: boolean;
};

export const unknownReader: ExpectedReader = { is: "nobody", pending: "nothing", erased: false };

export type Answer = "new" | "duplicate" | "yes" | "no" | "told nothing";

/**
 * Whose the link is that an action comes with: nobody's any more, the mailbox's, that of the sign-up that waits, or that
 * of the mailbox to which the reader has moved.
 */
export type LinkOf = "nobody" | "mailbox" | "what waits" | "elsewhere";

/** What one action makes of a mailbox, and how it is answered; with whether something is held about it beside a subscription. */
export function expectedAfter(
  before: ExpectedReader,
  action: Action,
  link: LinkOf,
  { isHeldBeside }: { isHeldBeside: boolean },
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
        return becomes(counts || pending === "held" ? {} : { pending: "held" }, "new");
      if (counts) return becomes({}, "duplicate");
      return becomes({ pending: "waiting" }, "new");
    }
    case "confirm":
      if (link === "elsewhere") return becomes({}, "told nothing");
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
      return becomes(
        pending === "held" ? { pending: "waiting" } : {},
        pending === "held" ? "yes" : "no",
      );
    case "import":
      if (known || erased) return becomes({}, "no");
      if (action.as === "waiting") return becomes({ pending: "waiting" }, "yes");
      return becomes({ is: action.as === "left" ? "gone" : "reader" }, "yes");
    case "remove":
      return becomes(
        { is: "nobody", pending: "nothing", erased: erased || is === "gone" },
        known ? "yes" : "no",
      );
    case "erase":
      return becomes(
        { is: "nobody", pending: "nothing", erased: erased || known || isHeldBeside },
        "told nothing",
      );
  }
}
