import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { networkKey } from "#backend/limits/network-key.ts";
import { rememberWork } from "#backend/recent-work.ts";

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
const patienceMs = { memory: 250, made: 1_000 };
/** For whom less was done lately than this goes before the others: milliseconds, and where each next class begins. */
const classesMs = [20, 80, 320, 1_280, Number.POSITIVE_INFINITY];

/** What is in memory as bytes goes before what has to be made: it costs so little that it holds nobody up. */
export type Lane = "memory" | "made";

type Waiting = { asker: string | null; since: number; begin(): void };

type Scheduled = { readAsker: () => string | null; readLane: () => Lane; begin: () => void };

export type FairScheduler = {
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
  const lanes = {
    memory: createLane(now, patienceMs.memory),
    made: createLane(now, patienceMs.made),
  };
  /** The beginning of what the round spends; null until the first request of a round. */
  let roundFrom: number | null = null;
  /** Nobody waits after that moment. */
  let crowdedUntil = Number.NEGATIVE_INFINITY;
  /** Whose work is being done, with the promises that follow at once. */
  let doing: { lane: Lane; asker: string | null; from: number } | null = null;

  function schedule({ readAsker, readLane, begin }: Scheduled) {
    const time = now();
    if (roundFrom === null) {
      roundFrom = time;
      setImmediate(newRound);
    }
    const hasTime = time - roundFrom < roundMs;
    // The usual case, in which nothing more is asked of anyone.
    if (hasTime && time >= crowdedUntil) return begin();
    const lane = lanes[readLane()];
    const asker = keyOf(readAsker());
    if (hasTime && !lane.isWaitedFor()) {
      begin();
      lane.count(asker, now() - time);
      return;
    }
    crowdedUntil = time + crowdedForMs;
    lane.add({ asker, since: time, begin });
  }

  function newRound() {
    roundFrom = now();
    answerNext();
  }

  function answerNext() {
    const time = now();
    if (doing) lanes[doing.lane].count(doing.asker, time - doing.from);
    doing = null;
    const spentMs = roundFrom === null ? roundMs : time - roundFrom;
    const lane = spentMs < roundMs ? nextLane(spentMs) : null;
    const one = lane && lanes[lane].next(time);
    if (lane && one) {
      doing = { lane, asker: one.asker, from: time };
      // After what it does at once, its promises included.
      queueMicrotask(() => process.nextTick(answerNext));
      one.begin();
      return;
    }
    const isAnyoneWaiting = lanes.memory.isWaitedFor() || lanes.made.isWaitedFor();
    roundFrom = isAnyoneWaiting ? time : null;
    if (!isAnyoneWaiting) return;
    crowdedUntil = time + crowdedForMs;
    setImmediate(newRound);
  }

  function nextLane(spentMs: number): Lane {
    const isMemorysTime = spentMs < roundMs * memoryPart || !lanes.made.isWaitedFor();
    return lanes.memory.isWaitedFor() && isMemorysTime ? "memory" : "made";
  }

  return { schedule };
}

/** Those who wait for the same, in classes by what was done for them lately, so that choosing costs the same for any number. */
function createLane(now: () => number, longestWaitMs: number) {
  const classes: Waiting[][] = classesMs.map(() => []);
  const recentWork = rememberWork({ now });

  function placeOf(asker: string | null): number {
    const work = asker === null ? 0 : recentWork.of(asker);
    return classesMs.findIndex((most) => work < most);
  }

  return {
    isWaitedFor: () => classes.some((some) => some.length > 0),

    add(one: Waiting) {
      classes[placeOf(one.asker)]?.push(one);
    },

    count(asker: string | null, ms: number) {
      if (asker !== null) recentWork.add(asker, ms);
    },

    next(time: number): Waiting | undefined {
      const late = classes.find(([first]) => first && time - first.since > longestWaitMs)?.shift();
      if (late) return late;
      for (const [place, some] of classes.entries()) {
        for (let one = some.shift(); one; one = some.shift()) {
          const theirs = placeOf(one.asker);
          if (theirs <= place) return one;
          // More was done for them since they came.
          classes[theirs]?.push(one);
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
  readLane: (request: IncomingMessage) => Lane;
  answer: RequestListener;
};

/** Answers when the scheduler says. */
export function answerFairly({
  scheduler,
  readAsker,
  readLane,
  answer,
}: FairAnswers): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) =>
    scheduler.schedule({
      readAsker: () => readAsker(request),
      readLane: () => readLane(request),
      begin: () => {
        if (!response.destroyed) answer(request, response);
      },
    });
}

function keyOf(asker: string | null): string | null {
  return asker === null ? null : networkKey(asker);
}
