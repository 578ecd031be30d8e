import { networkKey } from "./limits.ts";
import { rememberWork } from "./recent-work.ts";

/** Why something was not begun: too much waits already, or it has waited long enough. */
type QueueRefusal = "queue_full" | "waited_too_long";

type Queued<T> = { ok: true; value: T } | { ok: false; reason: QueueRefusal };

export type BoundedQueue = {
  /**
   * Runs the work when its turn has come and gives what it makes, or why it was not begun. A rejection is the work's
   * own.
   */
  run<T>(work: () => Promise<T>, asker: Asker): Promise<Queued<T>>;
  /** Whether work would be refused now, so that a refusal need not cost more than saying it. */
  isFullFor(asker: Asker): boolean;
};

/** Whom work is for, by address; null where it is the server's own. `isUrgent` work goes before the rest. */
export type Asker = { from: string | null; isUrgent?: boolean };

export type QueueLimits = {
  /** Under way at a time. */
  concurrency: number;
  waitingMax: number;
  /** Room beside that for urgent work, which a crowd that asks for other things can't take. */
  waitingUrgentMax?: number;
  waitingPerAskerMax?: number;
  waitMaxMs: number;
  /** The same for urgent work; as long as the rest where it isn't given. */
  waitUrgentMaxMs?: number;
  /** From when on somebody waits long: every other turn is for the one who has waited longest. */
  longWaitMs?: number;
  /** Whether something more urgent is under way elsewhere. What isn't urgent here lets it go first, for a moment. */
  letsOthersFirst?: () => boolean;
};

/** The longest that one piece of work lets others go first, so that no crowd of theirs stops it. */
const courtesyMaxMs = 50;
const courtesyCheckMs = 2;

type Waiting = {
  from: string | null;
  isUrgent: boolean;
  /** On the clock of `performance.now()`. */
  since: number;
  begin(): void;
  refuse(reason: QueueRefusal): void;
};

/** Who waits makes way for a newcomer for whom so many times less was done: equals wait for each other. */
const makesWay = 2;

/**
 * Lets a few at a time through, behind a short queue, so that no crowd stops the others. Of those who wait, the one for
 * whom the least was done lately is next ("least attained service"), and of a queue that is full the one for whom the
 * most was done goes: whoever asks again and again waits behind whoever asks once, from however many addresses. So that
 * ever new addresses, for whom nothing was done yet, don't keep one waiting for whom something was, every other turn is
 * for the one who has waited longest, where that is long.
 */
export function createBoundedQueue({
  concurrency,
  waitingMax,
  waitingUrgentMax = 0,
  waitingPerAskerMax = Number.POSITIVE_INFINITY,
  waitMaxMs,
  waitUrgentMaxMs = waitMaxMs,
  longWaitMs = 1_000,
  letsOthersFirst = () => false,
}: QueueLimits): BoundedQueue {
  /** In the order they came. */
  const waiting: Waiting[] = [];
  const recentWork = rememberWork();
  let underWay = 0;
  let wasForWaiting = false;

  const workFor = (from: string | null) => (from === null ? 0 : recentWork.of(from));

  /** Whom there is no room for: the newcomer, or the one who goes for them. Null where there is room for all. */
  function oneTooMany({ from, isUrgent = false }: Asker): "newcomer" | Waiting | null {
    const theirs = from === null ? [] : waiting.filter((one) => one.from === from);
    if (theirs.length >= waitingPerAskerMax) return "newcomer";
    const ofTheirKind = waiting.filter((one) => one.isUrgent === isUrgent);
    if (ofTheirKind.length < (isUrgent ? waitingUrgentMax : waitingMax)) return null;
    const most = first(ofTheirKind, (a, b) => workFor(a.from) > workFor(b.from));
    return most && workFor(most.from) > makesWay * workFor(from) ? most : "newcomer";
  }

  function turn({ from, isUrgent = false }: Asker): Promise<"come" | QueueRefusal> {
    return new Promise((resolve) => {
      const leave = (how: "come" | QueueRefusal) => {
        clearTimeout(tooLong);
        waiting.splice(waiting.indexOf(one), 1);
        resolve(how);
      };
      const longestMs = isUrgent ? waitUrgentMaxMs : waitMaxMs;
      const tooLong = setTimeout(leave, longestMs, "waited_too_long");
      const one: Waiting = {
        from,
        isUrgent,
        since: performance.now(),
        begin: () => leave("come"),
        refuse: leave,
      };
      waiting.push(one);
    });
  }

  function next(): Waiting | undefined {
    const mostUrgent = waiting.some((one) => one.isUrgent)
      ? waiting.filter((one) => one.isUrgent)
      : waiting;
    const [longest] = mostUrgent;
    const isLong = longest !== undefined && performance.now() - longest.since >= longWaitMs;
    wasForWaiting = isLong && !wasForWaiting;
    if (wasForWaiting) return longest;
    return first(mostUrgent, (a, b) => workFor(a.from) < workFor(b.from));
  }

  /** Hands the place on, after everything else that has come meanwhile has had its moment. */
  function end() {
    const endedAt = performance.now();
    setImmediate(handOn);
    function handOn() {
      const one = next();
      if (!one) underWay -= 1;
      else if (!one.isUrgent && letsOthersFirst() && performance.now() - endedAt < courtesyMaxMs) {
        setTimeout(handOn, courtesyCheckMs);
      } else one.begin();
    }
  }

  function known({ from, isUrgent }: Asker): Asker {
    return { from: from === null ? null : networkKey(from), isUrgent };
  }

  return {
    isFullFor: (asker) => underWay >= concurrency && oneTooMany(known(asker)) === "newcomer",

    async run(work, someone) {
      const asker = known(someone);
      if (underWay < concurrency) {
        underWay += 1;
      } else {
        const tooMany = oneTooMany(asker);
        if (tooMany === "newcomer") return { ok: false, reason: "queue_full" };
        tooMany?.refuse("queue_full");
        const how = await turn(asker);
        if (how !== "come") return { ok: false, reason: how };
      }
      const begunAt = performance.now();
      try {
        return { ok: true, value: await work() };
      } finally {
        if (asker.from !== null) recentWork.add(asker.from, performance.now() - begunAt);
        end();
      }
    },
  };
}

/** The one that is before all others; of equals the first. */
function first(some: Waiting[], isBefore: (a: Waiting, b: Waiting) => boolean) {
  return some.reduce<Waiting | undefined>(
    (found, one) => (!found || isBefore(one, found) ? one : found),
    undefined,
  );
}
