/** Every confirmed reader, or those of whose mail no server has said that it takes it, or that it never will. */
export type SendAudience = "all" | "new";

/**
 * Waiting for its time; its rows being handed over; stopped until it is resumed; every row settled; or ended by the
 * operator before that.
 */
export type SendState = "waiting" | "sending" | "paused" | "finished" | "cancelled";

type SendEvent = "begin" | "pause" | "resume" | "cancel" | "finish";

/** From which states an event leads on. What isn't named is refused. */
export const sendStatesBefore: Record<SendEvent, readonly SendState[]> = {
  begin: ["waiting"],
  pause: ["waiting", "sending"],
  resume: ["paused"],
  cancel: ["waiting", "sending", "paused"],
  finish: ["sending"],
};
