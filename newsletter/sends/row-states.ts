/**
 * What becomes of an issue for one reader. The first three are open; the others are for good in their send. `refused` is a
 * mail that the receiver won't take, `withdrawn` one that was never handed over again because the reader had left, was
 * erased or bounced, or because the send was cancelled.
 */
export type RowState =
  | "waiting"
  | "handed_over"
  | "deferred"
  | "accepted"
  | "refused"
  | "withdrawn";

type RowEvent =
  | "hand over"
  | "hand back"
  | "accept"
  | "defer"
  | "refuse"
  | "withdraw"
  | "take over";

/** Every event, the state that it leads to, and from which. What settles a mail needs it to be in somebody's hands. */
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
