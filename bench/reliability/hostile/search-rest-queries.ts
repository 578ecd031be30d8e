import { setTimeout as delay } from "node:timers/promises";
import { processorMs } from "../../processor-time.ts";
import type { HostileRequest } from "./hostile-request.ts";
import { answerTo, type Measured } from "./request-cost.ts";
import { asRequest, type Dice, mutated, type RestQuery, randomQuery } from "./rest-grammar.ts";

type Tried = { query: RestQuery; request: HostileRequest; cost: number };

/** Those that further ones are made of. */
const bestKept = 30;
const mustRevalidate = 5;
/** What a megabyte of answer counts for, in milliseconds of processor time: the bars are 25 ms and 2 MB. */
const msPerMegabyte = 12.5;
/** Requests that a search begins with before it makes new ones of the dearest. */
const randomFirst = 100;

/**
 * Searches the grammar of the REST table's queries for those that cost most, by making new ones of the dearest so far, for
 * some seconds; gives the dearest, each found dear again several times over, the dearest first.
 */
export async function searchRestQueries(
  server: () => Measured,
  { seconds, count, seed }: { seconds: number; count: number; seed: number },
): Promise<HostileRequest[]> {
  const dice = seededDice(seed);
  const startedAt = performance.now();
  let best: Tried[] = [];
  for (let tries = 0; performance.now() - startedAt < seconds * 1_000; tries += 1) {
    const parent = best[dice(best.length || 1)]?.query;
    const isNew = tries < randomFirst || !parent || dice(4) === 0;
    const other = best[dice(best.length || 1)]?.query ?? randomQuery(dice);
    const query = isNew ? randomQuery(dice) : mutated(parent, other, dice);
    const request = asRequest(query);
    const cost = await costOnce(server(), request);
    best.push({ query, request, cost });
    if (best.length > bestKept * 2) best = dearest(best, bestKept);
  }
  const again: Tried[] = [];
  for (const tried of dearest(best, bestKept)) {
    const costs: number[] = [];
    for (let time = 0; time < mustRevalidate; time += 1) {
      costs.push(await costOnce(server(), tried.request));
    }
    again.push({ ...tried, cost: Math.min(...costs) });
  }
  return dearest(again, count).map(({ request }) => request);
}

/** No two alike, the dearest first. */
function dearest(tried: Tried[], count: number): Tried[] {
  const byTarget = new Map(tried.map((one) => [JSON.stringify(one.request), one]));
  return [...byTarget.values()].toSorted((a, b) => b.cost - a.cost).slice(0, count);
}

/** A server that dies of a request, or doesn't answer it, makes it the dearest there is. */
async function costOnce(server: Measured, request: HostileRequest): Promise<number> {
  try {
    const before = processorMs(server.pid);
    const { bytes, status } = await answerTo(server.port, request);
    if (status === "none") throw new Error("No answer.");
    return processorMs(server.pid) - before + (bytes / 1e6) * msPerMegabyte;
  } catch {
    await delay(2_000);
    return Number.MAX_VALUE;
  }
}

/** Mulberry32: small, and the same numbers for the same seed. */
function seededDice(seed: number): Dice {
  let state = seed >>> 0;
  return (sides) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, sides);
  };
}
