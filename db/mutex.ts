/** Lets one at a time through, in the order of asking. */
export type Mutex = {
  /** Waits for the turn. Rejects with what `late` makes where it hasn't come by then. */
  take(timeoutMs: number, late: () => Error): Promise<void>;
  /** Ends the turn. */
  release(): void;
};

export function createMutex(): Mutex {
  const waiting = new Set<() => void>();
  let isTaken = false;
  return {
    async take(timeoutMs, late) {
      if (!isTaken) {
        isTaken = true;
        return;
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        waiting.delete(begin);
        reject(late());
      }, timeoutMs);
      function begin() {
        clearTimeout(timer);
        resolve();
      }
      waiting.add(begin);
      await promise;
    },
    release() {
      const [next] = waiting;
      if (next === undefined) {
        isTaken = false;
        return;
      }
      waiting.delete(next);
      next();
    },
  };
}
