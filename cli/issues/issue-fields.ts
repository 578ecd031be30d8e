import { type FoundIssue, findIssue, isPublishDate, type ListedIssue } from "#newsletter/issues.ts";
import type { OpenStore } from "#operator/open-store.ts";
import { failure } from "../command-error.ts";
import { parseMoment, torontoDate } from "../terminal.ts";

/** Longest title of an issue, in characters. */
export const issueTitleMaxLength = 200;
/** Longest body of an issue, in UTF-16 code units; a page would cut off the rest. */
export const issueBodyMaxLength = 2_000_000;
/** Largest file that is published, in bytes. */
export const issueFileMaxBytes = 4_000_000;
/** Largest file that is imported, in bytes. */
export const importFileMaxBytes = 200_000_000;

/** Text with every run of white space as one space. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/**
 * The calendar day, `YYYY-MM-DD`, that a date or a time names, or null where it names none. A time with an offset is
 * the day that it was in Toronto, as the site shows such times; one without is the day it is written with.
 */
export function calendarDate(text: string): string | null {
  const given = text.trim();
  if (isPublishDate(given)) return given;
  const moment = parseMoment(given);
  return moment && (moment.isZoned ? torontoDate(moment.at) : moment.day);
}

/** `6, "Quotes before lunch"`, and the number on the site where that is another one. */
export function issueName({ id, number, title }: Omit<ListedIssue, "publishDate">): string {
  return `${id}, "${title}"${number === id ? "" : `, which is #${number} on the site`}`;
}

/** The issue with an id; ends the command where there is none. */
export async function findIssueOrEnd({ db }: OpenStore, id: number): Promise<FoundIssue> {
  const found = await findIssue(db, id);
  if (found) return found;
  throw failure(`There is no issue with id ${id}. "issues list" shows those there are.`);
}
