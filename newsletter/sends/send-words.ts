import type { SendState } from "#db/tables.ts";

const words: Record<SendState, string> = {
  waiting: "waiting",
  sending: "sending",
  paused: "paused",
  finished: "sent",
  cancelled: "cancelled",
};

export function sendWord(state: SendState): string {
  return words[state];
}

type SendMoment = {
  state: SendState;
  beginsAt: string;
  begunAt: string | null;
  pauseReason: string | null;
};

/** A send's state in words: `waiting for 2026-11-30 07:30`, `paused before it began, by itself: …`. */
export function describeSendState(
  { state, beginsAt, begunAt, pauseReason }: SendMoment,
  formatTime: (isoTime: string) => string,
): string {
  if (state === "waiting") return `waiting for ${formatTime(beginsAt)}`;
  const why = pauseReason === null ? "" : `, by itself: ${pauseReason}`;
  if (state === "cancelled") return `${words.cancelled}${why}`;
  if (state !== "paused") return words[state];
  return begunAt === null ? `paused before it began${why}` : `paused${why}`;
}
