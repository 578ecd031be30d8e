import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { networkKey } from "#backend/limits/network-key.ts";
import { rememberWork } from "#backend/recent-work.ts";

/**
 * What one round of the event loop spends on answering before it looks again at who has come. A visitor waits for a few
 * rounds, since taking in a connection, its request and its answer are one each.
 */
const roundMs = 8;
/** After so long without anybody waiting, nobody's work is counted. */
const crowdedForMs = 2_000;
/** Whoever waits for so long is next, whatever was done for them. */
const patienceMs = 1_000;
/** For whom less was done lately than this goes before the others: milliseconds, and where each next class begins. */
const classesMs = [20, 80, 320, 1_280, Number.POSITIVE_INFINITY];

type Waiting = { asker: string | null; since: number; begin(): void };

export type FairScheduler = {
  /** Begins now where nobody waits and there is time left in this round, else when their turn has come. */
  schedule(asker: () => string | null, begin: () => void): void;
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
  const { now = () => performance.now(), roundMs: spendMs = roundMs } = options;
  const classes: Waiting[][] = classesMs.map(() => []);
  const recentWork = rememberWork({ now });
  /** The beginning of what the round spends; null until the first request of a round. */
  let roundFrom: number | null = null;
  let crowdedUntil = Number.NEGATIVE_INFINITY;
  /** For whom the thread works now, as far as is known. */
  let last: { asker: string | null; from: number } | null = null;

  function schedule(readAsker: () => string | null, begin: () => void) {
    const time = now();
    if (roundFrom === null) {
      roundFrom = time;
      setImmediate(endOfRound);
    }
    const isCrowded = time < crowdedUntil;
    if (!isAnyoneWaiting() && time - roundFrom < spendMs) {
      if (isCrowded) account(keyOf(readAsker()), time);
      begin();
      return;
    }
    if (!isCrowded) last = null;
    crowdedUntil = time + crowdedForMs;
    const asker = keyOf(readAsker());
    classes[placeOf(asker)]?.push({ asker, since: time, begin });
  }

  /** What was done since the one before began was for them. */
  function account(asker: string | null, time: number) {
    settle(time);
    last = { asker, from: time };
  }

  function settle(time: number) {
    if (last?.asker) recentWork.add(last.asker, time - last.from);
    last = null;
  }

  function endOfRound() {
    const time = now();
    settle(time);
    roundFrom = time;
    answerNext();
  }

  function answerNext() {
    const time = now();
    const hasTime = roundFrom !== null && time - roundFrom < spendMs;
    const one = hasTime ? next(time) : undefined;
    if (one) {
      account(one.asker, time);
      // After what it does at once, its promises included.
      queueMicrotask(() => process.nextTick(answerNext));
      one.begin();
      return;
    }
    settle(time);
    roundFrom = null;
    if (!isAnyoneWaiting()) return;
    roundFrom = time;
    setImmediate(endOfRound);
  }

  function isAnyoneWaiting(): boolean {
    return classes.some((some) => some.length > 0);
  }

  function next(time: number): Waiting | undefined {
    const late = classes.find(([first]) => first && time - first.since > patienceMs)?.shift();
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
  }

  function placeOf(asker: string | null): number {
    const work = asker === null ? 0 : recentWork.of(asker);
    return classesMs.findIndex((most) => work < most);
  }

  return { schedule };
}

/** Answers when the scheduler says. `readAsker` gives the visitor's address. */
export function answerFairly(
  scheduler: FairScheduler,
  readAsker: (request: IncomingMessage) => string | null,
  answer: RequestListener,
): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) =>
    scheduler.schedule(
      () => readAsker(request),
      () => {
        if (!response.destroyed) answer(request, response);
      },
    );
}

function keyOf(asker: string | null): string | null {
  return asker === null ? null : networkKey(asker);
}
