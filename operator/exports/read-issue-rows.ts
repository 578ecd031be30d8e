import { calendarDate, isPublishDate } from "#newsletter/calendar-date.ts";
import { type ImportedIssue, issueBodyMaxLength, issueTitleMaxLength } from "#newsletter/issues.ts";
import { readAllRecords } from "../records.ts";

export type IssueRow = { line: number; issue: ImportedIssue };

/** Reads rows of `final_newsletters` from CSV, JSON or NDJSON, with every problem in them; the id may be missing. */
export function readIssueRows(file: { name: string; text: string }) {
  const { format, problems, records } = readAllRecords(file);
  const rows: IssueRow[] = [];
  if (problems.length > 0) return { format, problems, rows };
  const lineOfId = new Map<number, number>();
  for (const { line, fields } of records) {
    const { title, content_markdown: html, publish_date: date, id: given } = fields;
    const faults: string[] = [];
    if (typeof title !== "string" || title.trim() === "") faults.push("title is missing.");
    else if (title.trim().length > issueTitleMaxLength) {
      faults.push(`title is longer than ${issueTitleMaxLength} characters.`);
    }
    if (typeof html !== "string" || html.trim() === "") faults.push("content_markdown is missing.");
    else if (html.length > issueBodyMaxLength) {
      faults.push(`content_markdown is longer than ${issueBodyMaxLength} characters.`);
    }
    const publishDate = typeof date === "string" ? calendarDate(date) : null;
    if (publishDate === null) {
      const what = `publish_date ${shown(date)} is not a calendar date (YYYY-MM-DD).`;
      faults.push(date === null || date === undefined ? "publish_date is missing." : what);
    } else if (!isPublishDate(publishDate)) {
      faults.push(`publish_date ${shown(date)} is before 1990.`);
    }
    const id = given === null || given === undefined ? undefined : Number(given);
    if (id !== undefined && (!/^\d+$/.test(String(given)) || !Number.isSafeInteger(id) || id < 1)) {
      faults.push(`id ${shown(given)} is not a whole number from 1 up.`);
    }
    const earlier = lineOfId.get(id ?? 0);
    if (earlier !== undefined) faults.push(`id ${id} is on line ${earlier} already.`);
    if (id !== undefined) lineOfId.set(id, line);
    problems.push(...faults.map((message) => ({ file: file.name, line, message })));
    if (typeof title === "string" && typeof html === "string" && publishDate !== null) {
      rows.push({ line, issue: { id, title: title.trim(), html, publishDate } });
    }
  }
  return { format, problems, rows };
}

function shown(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 40);
}
