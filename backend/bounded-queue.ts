/** Why something was not begun: too much waits already, or it has waited long enough. */
export type QueueRefusal = "queue_full" | "waited_too_long";

export type Queued<T> = { ok: true; value: T } | { ok: false; reason: QueueRefusal };

export type BoundedQueue = {
  /**
   * Runs the work when its turn has come and gives what it makes, or why it was not begun. A rejection is the work's
   * own. `from` is whom it is for; one visitor alone can't fill the queue. `isUrgent` work goes before the rest.
   */
  run<T>(work: () => Promise<T>, asker: Asker): Promise<Queued<T>>;
  /** Whether work would be refused now, so that a refusal need not cost more than saying it. */
  isFullFor(asker: Asker): boolean;
};

export type Asker = { from: string | null; isUrgent?: boolean };

export type QueueLimits = {
  /** Under way at a time. */
  concurrency: number;
  waitingMax: number;
  /** Room beside that for urgent work, which a crowd that asks for other things can't take. */
  waitingUrgentMax?: number;
  waitingPerAskerMax?: number;
  waitMaxMs: number;
};

type Waiting = {
  from: string | null;
  isUrgent: boolean;
  begin(): void;
};

/** Lets a few at a time through, behind a short queue, so that no crowd stops the others. */
export function createBoundedQueue({
  concurrency,
  waitingMax,
  waitingUrgentMax = 0,
  waitingPerAskerMax = Number.POSITIVE_INFINITY,
  waitMaxMs,
}: QueueLimits): BoundedQueue {
  const waiting: Waiting[] = [];
  let underWay = 0;

  function hasRoomFor({ from, isUrgent = false }: Asker): boolean {
    const ofTheirKind = waiting.filter((one) => one.isUrgent === isUrgent).length;
    if (ofTheirKind >= (isUrgent ? waitingUrgentMax : waitingMax)) return false;
    if (from === null) return true;
    return waiting.filter((one) => one.from === from).length < waitingPerAskerMax;
  }

  /** Resolves to whether the turn has come. */
  function turn({ from, isUrgent = false }: Asker): Promise<boolean> {
    return new Promise((resolve) => {
      const tooLong = setTimeout(() => {
        waiting.splice(waiting.indexOf(one), 1);
        resolve(false);
      }, waitMaxMs);
      const one: Waiting = {
        from,
        isUrgent,
        begin() {
          clearTimeout(tooLong);
          resolve(true);
        },
      };
      const place = isUrgent ? waiting.findIndex((other) => !other.isUrgent) : -1;
      waiting.splice(place < 0 ? waiting.length : place, 0, one);
    });
  }

  /** Hands the place on, after everything else that has come meanwhile has had its moment. */
  function end() {
    setImmediate(() => {
      const next = waiting.shift();
      if (next) next.begin();
      else underWay -= 1;
    });
  }

  return {
    isFullFor: (asker) => underWay >= concurrency && !hasRoomFor(asker),

    async run(work, asker) {
      if (underWay < concurrency) {
        underWay += 1;
      } else {
        if (!hasRoomFor(asker)) return { ok: false, reason: "queue_full" };
        if (!(await turn(asker))) return { ok: false, reason: "waited_too_long" };
      }
      try {
        return { ok: true, value: await work() };
      } finally {
        end();
      }
    },
  };
}
