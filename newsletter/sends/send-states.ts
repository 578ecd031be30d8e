import type { RowState, SendState } from "#db/tables.ts";

type SendEvent = "begin" | "pause" | "resume" | "cancel" | "finish";

/** From which states an event leads on. What isn't named is refused. */
export const sendStatesBefore: Record<SendEvent, readonly SendState[]> = {
  begin: ["waiting"],
  pause: ["waiting", "sending"],
  resume: ["paused"],
  cancel: ["waiting", "sending", "paused"],
  finish: ["sending"],
};

type RowEvent =
  | "hand over"
  | "hand back"
  | "accept"
  | "defer"
  | "refuse"
  | "withdraw"
  | "take over";

/** Every event of a recipient's row, the state that it leads to, and from which. */
export const rowTransitions: Record<RowEvent, { from: readonly RowState[]; to: RowState }> = {
  // From `handed_over` where whoever had it died: whether it arrived can't be known, so it goes again under its own id.
  "hand over": { from: ["waiting", "deferred", "handed_over"], to: "handed_over" },
  "hand back": { from: ["handed_over"], to: "waiting" },
  accept: { from: ["handed_over"], to: "accepted" },
  defer: { from: ["handed_over"], to: "deferred" },
  refuse: { from: ["handed_over"], to: "refused" },
  withdraw: { from: ["waiting", "deferred", "handed_over"], to: "withdrawn" },
  // By another send of the issue, under the Message-ID that it has.
  "take over": { from: ["withdrawn"], to: "waiting" },
};

export const rowStates: readonly RowState[] = [
  "waiting",
  "handed_over",
  "deferred",
  "accepted",
  "refused",
  "withdrawn",
];
