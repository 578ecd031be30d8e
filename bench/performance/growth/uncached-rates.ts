import { setTimeout as delay } from "node:timers/promises";
import { timedFetch } from "./timed-fetch.ts";

/** Answers a second, and how many were refused because too much was asked at once. */
export type Rate = { perSecond: number; refused: number };

const seconds = 3;
/** Few, since what isn't in memory is made a few at a time, and more would be refused. */
const atOnce = 4;
const refusalPauseMs = 20;

/**
 * The archive's page rendered anew, which a form without scripts with nothing in it asks for: its notice stands on the
 * page, which is kept for nobody. The status is 400.
 */
export function renderRate(url: string): Promise<Rate> {
  const init = {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "email=",
  };
  return rateOf(400, () => timedFetch(`${url}/newsletter`, init));
}

/** Searches, each for words that nobody searched for before. */
export function searchRate(url: string): Promise<Rate> {
  return rateOf(200, (n) => timedFetch(`${url}/search?q=quote+${process.pid}x${n}`));
}

async function rateOf(
  expected: number,
  ask: (n: number) => ReturnType<typeof timedFetch>,
): Promise<Rate> {
  let answered = 0;
  let refused = 0;
  let asked = 0;
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt > seconds * 1_000;
  async function askOn() {
    while (!isOver()) {
      asked += 1;
      const { status } = await ask(asked);
      if (status === expected) answered += 1;
      else {
        refused += 1;
        await delay(refusalPauseMs);
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, askOn));
  return { perSecond: answered / ((performance.now() - startedAt) / 1_000), refused };
}
