/** `ok` where it was counted; `nth` is which one it is, or would have been, of its window, from 1. */
export type Counted = { ok: boolean; nth: number; windowEndsInSeconds: number };

/** Counts up to a limit within a window of time, by key. */
export type Counter = {
  /** Counts one, unless that would be one too many; what is refused is not counted. */
  count(key: string): Promise<Counted>;
  /** Counts one as not having happened. */
  undo(key: string): Promise<void>;
};
