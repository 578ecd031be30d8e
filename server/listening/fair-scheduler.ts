import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { networkKey } from "#api/limits.ts";
import { rememberWork } from "#api/recent-work.ts";

/**
 * What one round of the event loop spends on answering before it looks again at who has come. A visitor waits for a few
 * rounds, since taking in a connection, its request and its answer are one each.
 */
const defaultRoundMs = 8;
/** How much of that may go to what is in memory while somebody waits for something else. */
const memoryPart = 1 / 2;
/** After so long without anybody waiting, nobody's work is counted. */
const crowdedForMs = 2_000;
/**
 * Whoever waits for so long is next, whatever was done for them. What is in memory is soon answered for all, and whoever's
 * visit had a page made anew has had much done for them by that alone.
 */
const waitMaxMs = { memory: 250, made: 1_000 };
/** For whom less was done lately than this goes before the others: milliseconds, and where each next level begins. */
const levelsMs = [20, 80, 320, 1_280, Number.POSITIVE_INFINITY];

/** What is in memory as bytes goes before what has to be made: it costs so little that it holds nobody up. */
export type ServiceClass = "memory" | "made";

type Waiting = { asker: string | null; since: number; begin(): void };

type Scheduled = {
  readAsker: () => string | null;
  readServiceClass: () => ServiceClass;
  begin: () => void;
};

type FairScheduler = {
  /** Begins now where nobody waits for the same and there is time left in this round, else when their turn has come. */
  schedule(request: Scheduled): void;
};

type FairSchedulerOptions = {
  /** Milliseconds, from any beginning. */
  now?: () => number;
  roundMs?: number;
};

/**
 * Shares the one thread among all who ask. Without it a round of the event loop answers whatever has come, a thousand
 * requests one after another, before it looks at who came meanwhile. Here a round answers for some milliseconds; who is
 * left waits for the next, and goes in the order of how little was done for them lately.
 */
export function createFairScheduler(options: FairSchedulerOptions = {}): FairScheduler {
  const { now = () => performance.now(), roundMs = defaultRoundMs } = options;
  const queues = {
    memory: createMultilevelQueue(now, waitMaxMs.memory),
    made: createMultilevelQueue(now, waitMaxMs.made),
  };
  /** The beginning of what the round spends; null until the first request of a round. */
  let roundFrom: number | null = null;
  /** Nobody waits after that moment. */
  let crowdedUntil = Number.NEGATIVE_INFINITY;
  /** Whose work is being done, with the promises that follow at once. */
  let doing: { serviceClass: ServiceClass; asker: string | null; from: number } | null = null;

  function schedule({ readAsker, readServiceClass, begin }: Scheduled) {
    const time = now();
    if (roundFrom === null) {
      roundFrom = time;
      setImmediate(newRound);
    }
    const hasTime = time - roundFrom < roundMs;
    // The usual case, in which nothing more is asked of anyone.
    if (hasTime && time >= crowdedUntil) return begin();
    const queue = queues[readServiceClass()];
    const asker = keyOf(readAsker());
    if (hasTime && queue.isEmpty()) {
      begin();
      queue.count(asker, now() - time);
      return;
    }
    crowdedUntil = time + crowdedForMs;
    queue.add({ asker, since: time, begin });
  }

  function newRound() {
    roundFrom = now();
    answerNext();
  }

  function answerNext() {
    const time = now();
    if (doing) queues[doing.serviceClass].count(doing.asker, time - doing.from);
    doing = null;
    const spentMs = roundFrom === null ? roundMs : time - roundFrom;
    const serviceClass = spentMs < roundMs ? nextClass(spentMs) : null;
    const one = serviceClass && queues[serviceClass].next(time);
    if (serviceClass && one) {
      doing = { serviceClass, asker: one.asker, from: time };
      // After what it does at once, its promises included.
      queueMicrotask(() => process.nextTick(answerNext));
      one.begin();
      return;
    }
    const isAnyoneWaiting = !queues.memory.isEmpty() || !queues.made.isEmpty();
    roundFrom = isAnyoneWaiting ? time : null;
    if (!isAnyoneWaiting) return;
    crowdedUntil = time + crowdedForMs;
    setImmediate(newRound);
  }

  function nextClass(spentMs: number): ServiceClass {
    const isMemorysTime = spentMs < roundMs * memoryPart || queues.made.isEmpty();
    return !queues.memory.isEmpty() && isMemorysTime ? "memory" : "made";
  }

  return { schedule };
}

/**
 * Those who wait for the same, in levels by what was done for them lately, so that choosing costs the same for any
 * number.
 */
function createMultilevelQueue(now: () => number, maxMs: number) {
  const levels: Waiting[][] = levelsMs.map(() => []);
  const recentWork = rememberWork({ now });

  function levelOf(asker: string | null): number {
    const work = asker === null ? 0 : recentWork.of(asker);
    return levelsMs.findIndex((most) => work < most);
  }

  return {
    isEmpty: () => levels.every((level) => level.length === 0),

    add(one: Waiting) {
      levels[levelOf(one.asker)]?.push(one);
    },

    count(asker: string | null, ms: number) {
      if (asker !== null) recentWork.add(asker, ms);
    },

    next(time: number): Waiting | undefined {
      const late = levels.find(([first]) => first && time - first.since > maxMs)?.shift();
      if (late) return late;
      for (const [level, some] of levels.entries()) {
        for (let one = some.shift(); one; one = some.shift()) {
          const theirs = levelOf(one.asker);
          if (theirs <= level) return one;
          // More was done for them since they came.
          levels[theirs]?.push(one);
        }
      }
      return undefined;
    },
  };
}

type FairAnswers = {
  scheduler: FairScheduler;
  /** The visitor's address. */
  readAsker: (request: IncomingMessage) => string | null;
  readServiceClass: (request: IncomingMessage) => ServiceClass;
  answer: RequestListener;
};

/** Answers when the scheduler says. */
export function answerFairly({
  scheduler,
  readAsker,
  readServiceClass,
  answer,
}: FairAnswers): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) =>
    scheduler.schedule({
      readAsker: () => readAsker(request),
      readServiceClass: () => readServiceClass(request),
      begin: () => {
        if (!response.destroyed) answer(request, response);
      },
    });
}

function keyOf(asker: string | null): string | null {
  return asker === null ? null : networkKey(asker);
}
