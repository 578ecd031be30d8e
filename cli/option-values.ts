import { InvalidArgumentError } from "commander";
import { isPublishDate } from "#backend/newsletter/publish-date.ts";

/** Most rows that one listing shows. */
const listMaxRows = 10_000;

/** Reads the value of `--limit`. */
export function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > listMaxRows) {
    throw new InvalidArgumentError(`Give a whole number from 1 to ${listMaxRows}.`);
  }
  return limit;
}

/** Reads an id as the listings show it. */
export function parseId(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(Number(text))) {
    throw new InvalidArgumentError("An id is a whole number, as the list shows it.");
  }
  return Number(text);
}

/** Reads one more of several ids. */
export function parseIds(text: string, ids: number[] = []): number[] {
  return [...ids, parseId(text)];
}

/** Reads the value of `--since`: a calendar day. */
export function parseDay(text: string): string {
  if (!isPublishDate(text)) {
    throw new InvalidArgumentError("Give a calendar date as YYYY-MM-DD, for example 2026-11-21.");
  }
  return text;
}
