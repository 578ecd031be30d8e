import { get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** Between two visits, each on its own whether or not the last was answered. */
export const visitEveryMs = 50;

/** `status` is 0 where the connection breaks. */
export type Answered = { ms: number; status: number };

/** Asks for a page as one visitor, again and again until the others are done. */
export async function visitFor(url: string, others: Promise<unknown>): Promise<Answered[]> {
  const visits: Promise<Answered>[] = [];
  let isOver = false;
  others.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    visits.push(timeOf(url, "203.0.113.1"));
    await delay(visitEveryMs);
  }
  return await Promise.all(visits);
}

/** On a connection of its own. */
export function timeOf(url: string, clientAddress: string): Promise<Answered> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = (status = 0) => resolve({ ms: performance.now() - startedAt, status });
    const headers = { "X-Forwarded-For": clientAddress };
    get(url, { agent: false, headers }, (response) => {
      response.resume();
      response.once("error", () => end());
      response.once("end", () => end(response.statusCode));
    }).once("error", () => end());
  });
}

/** The half and the hundredth, in milliseconds. */
export function timesOf(answered: Answered[]): string {
  const sorted = answered.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return `${at(0.5).toFixed(0)} / ${at(0.99).toFixed(0)}`;
}
