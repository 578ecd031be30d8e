/** So many at once, and so many that wait, for so long. */
export type QueueLimits = { concurrency: number; queueMax: number; waitMaxMs: number };

/** Gives back what was taken; a second call does nothing. */
export type Release = () => void;

/** Lets a few at a time through, in the order of asking. */
export type BoundedQueue = {
  /** Resolves when it is their turn; null where the queue is full, or where the turn hasn't come in time. */
  enter(): Promise<Release | null>;
};

export function createBoundedQueue({
  concurrency,
  queueMax,
  waitMaxMs,
}: QueueLimits): BoundedQueue {
  const waiting = new Set<() => void>();
  let running = 0;

  function leave(): void {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  function releaseOnce(): Release {
    let isReleased = false;
    return () => {
      if (!isReleased) leave();
      isReleased = true;
    };
  }

  return {
    async enter() {
      if (running < concurrency) {
        running += 1;
        return releaseOnce();
      }
      if (waiting.size >= queueMax) return null;
      const { promise, resolve } = Promise.withResolvers<Release | null>();
      const timer = setTimeout(() => {
        waiting.delete(begin);
        resolve(null);
      }, waitMaxMs);
      function begin() {
        clearTimeout(timer);
        resolve(releaseOnce());
      }
      waiting.add(begin);
      return await promise;
    },
  };
}
