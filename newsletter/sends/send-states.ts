import type { ExpressionBuilder } from "kysely";
import type { Database, RowState, SendState } from "#db/tables.ts";

type SendEvent = "begin" | "pause" | "resume" | "cancel" | "finish";

/** The states from which an event is possible. */
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

/** Each event of a recipient, with the states before it and the state after it. */
export const rowTransitions: Record<RowEvent, { from: readonly RowState[]; to: RowState }> = {
  // `handed_over` again after a crash: the mail may have arrived, so it keeps its Message-ID.
  "hand over": { from: ["waiting", "deferred", "handed_over"], to: "handed_over" },
  "hand back": { from: ["handed_over"], to: "waiting" },
  accept: { from: ["handed_over"], to: "accepted" },
  defer: { from: ["handed_over"], to: "deferred" },
  refuse: { from: ["handed_over"], to: "refused" },
  withdraw: { from: ["waiting", "deferred", "handed_over"], to: "withdrawn" },
  // Another send of the issue reuses the row and its Message-ID.
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

/** Whether another send may reuse the row: its mail was neither accepted nor refused for good. */
export function mayBeTakenOver(eb: ExpressionBuilder<Database, "send_rows">) {
  return eb("send_rows.state", "in", rowTransitions["take over"].from);
}

/**
 * The local part of a mail's Message-ID, the same at every attempt and in every send. `kept` is that of an earlier
 * send.
 */
export function rowMessageId(sendKey: string, { id, kept }: { id: number; kept: string | null }) {
  return kept ?? `${sendKey}.${id}`;
}
