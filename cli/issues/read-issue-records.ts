import type { ImportedIssue } from "#newsletter/issues.ts";
import type { Problem } from "../command-error.ts";
import type { FileRecord } from "../records.ts";
import { calendarDate } from "./calendar-date.ts";
import { issueBodyMaxLength, issueTitleMaxLength } from "./issue-limits.ts";

export type IssueRecord = { line: number; issue: ImportedIssue };

type ReadIssueRecords = { ok: true; issues: IssueRecord[] } | { ok: false; problems: Problem[] };

/** Reads issues from records with the columns of `final_newsletters`; the id may be missing. Lists every mistake. */
export function readIssueRecords(name: string, records: FileRecord[]): ReadIssueRecords {
  const problems: Problem[] = [];
  const issues: IssueRecord[] = [];
  const lineOfId = new Map<number, number>();
  for (const { line, fields } of records) {
    function problem(message: string): void {
      problems.push({ file: name, line, message });
    }
    const { title, content_markdown: html } = fields;
    if (typeof title !== "string" || title.trim() === "") problem("title is missing.");
    else if (title.trim().length > issueTitleMaxLength) {
      problem(`title is longer than ${issueTitleMaxLength} characters.`);
    }
    if (typeof html !== "string" || html.trim() === "") problem("content_markdown is missing.");
    else if (html.length > issueBodyMaxLength) {
      problem(`content_markdown is longer than ${issueBodyMaxLength} characters.`);
    }
    const publishDate = readDate(fields.publish_date, problem);
    const id = readId(fields.id, problem);
    if (id !== undefined) {
      const earlier = lineOfId.get(id);
      if (earlier !== undefined) problem(`id ${id} is on line ${earlier} already.`);
      else lineOfId.set(id, line);
    }
    if (typeof title === "string" && typeof html === "string" && publishDate !== null) {
      issues.push({ line, issue: { id, title: title.trim(), html, publishDate } });
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, issues };
}

function readDate(value: unknown, problem: (message: string) => void): string | null {
  if (value === null || value === undefined) {
    problem("publish_date is missing.");
    return null;
  }
  const day = typeof value === "string" ? calendarDate(value) : null;
  if (day === null) problem(`publish_date ${shown(value)} is not a calendar date (YYYY-MM-DD).`);
  return day;
}

function readId(value: unknown, problem: (message: string) => void): number | undefined {
  if (value === null || value === undefined) return undefined;
  const id = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof id === "number" && Number.isSafeInteger(id) && id > 0) return id;
  problem(`id ${shown(value)} is not a whole number from 1 up.`);
  return undefined;
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 40);
}
