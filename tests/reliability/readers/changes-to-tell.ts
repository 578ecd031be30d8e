import type { Action } from "./actions.ts";
import type { ExpectedReader } from "./expected-reader.ts";

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

export function beginsToWait(before: ExpectedReader, after: ExpectedReader): boolean {
  return before.pending !== "waiting" && after.pending === "waiting";
}
