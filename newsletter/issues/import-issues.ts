import { sql, type Transaction } from "kysely";
import { isPostgres } from "#db/database-handle.ts";
import type { Database, Db } from "#db/tables.ts";
import {
  type CsvRow,
  calendarDate,
  isPublishDate,
  type Problem,
  parseCsv,
  readUtf8,
} from "../text-files.ts";
import { type PreparedBody, prepareBody } from "./archive.ts";
import { type IssueWords, issueBodyMaxLength, issueTitleMaxLength, makeIssue } from "./issues.ts";

type ImportedIssue = IssueWords & { id?: number };

type Row = { line: number | null; fields: Record<string, unknown> };
type Unreadable = { line: number | null; message: string };

/** Imports rows of `final_newsletters` in CSV or JSON, all or none. */
export async function importIssuesFile(
  db: Db,
  { name: file, bytes }: { name: string; bytes: Buffer },
  now: Date,
): Promise<{ ok: true; found: number } | { ok: false; problems: Problem[] }> {
  const read = readUtf8({ name: file, bytes });
  if ("message" in read) return { ok: false, problems: [read] };
  const rows = /^\s*[[{]/.test(read.text) ? readJson(read.text) : readCsv(read.text);
  if ("message" in rows) return { ok: false, problems: [{ file, ...rows }] };
  const problems: Problem[] = [];
  const report = (at: number, message: string) => {
    const line = rows[at]?.line ?? null;
    problems.push({ file, line, message: line === null ? `row ${at + 1}: ${message}` : message });
  };
  const rowOf = new Map<number | undefined, number>();
  const issues = rows.map(({ fields }, at) => {
    const { issue, faults } = readIssue(fields);
    if (issue.id !== undefined && rowOf.has(issue.id))
      faults.push(`id ${issue.id} is there twice.`);
    rowOf.set(issue.id, at);
    for (const fault of faults) report(at, fault);
    return issue;
  });
  if (problems.length > 0) return { ok: false, problems };
  const { taken } = await importIssues(db, issues, now);
  for (const [id, title] of taken) {
    const why = `id ${id} is taken by "${title}", which is there already, or in the desk's bin.`;
    report(rowOf.get(id) ?? 0, why);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, found: issues.length };
}

function readCsv(text: string): Row[] | Unreadable {
  const [heading, ...read] = parseCsv(text);
  if (heading === undefined) return { line: null, message: "the file is empty." };
  const unreadable = [heading, ...read].find((row) => "message" in row);
  if (unreadable || "message" in heading) return unreadable as Unreadable;
  const names = heading.cells.map((name) => name.trim());
  const rows = read as CsvRow[];
  const torn = rows.find(({ cells }) => cells.length !== names.length);
  if (torn) {
    const message = `has ${torn.cells.length} cells; the heading line has ${names.length}.`;
    return { line: torn.line, message };
  }
  return rows.map(({ line, cells }) => ({
    line,
    fields: Object.fromEntries(names.map((name, at) => [name, cells[at] || null])),
  }));
}

function readJson(text: string): Row[] | Unreadable {
  try {
    return (JSON.parse(text) as unknown[]).map((row) => ({ line: null, fields: Object(row) }));
  } catch {
    return { line: null, message: "is no JSON array of rows." };
  }
}

function readIssue(fields: Row["fields"]): { issue: ImportedIssue; faults: string[] } {
  const text = (name: string) => (typeof fields[name] === "string" ? fields[name].trim() : "");
  const faults: string[] = [];
  for (const [name, max] of [
    ["title", issueTitleMaxLength],
    ["content_markdown", issueBodyMaxLength],
  ] as const) {
    if (text(name) === "") faults.push(`${name} is missing.`);
    else if (text(name).length > max) faults.push(`${name} is longer than ${max} characters.`);
  }
  const day = calendarDate(text("publish_date"));
  if (text("publish_date") === "") faults.push("publish_date is missing.");
  else if (day === null || !isPublishDate(day)) {
    const what = day === null ? "not a calendar date (YYYY-MM-DD)" : "before 1990";
    faults.push(`publish_date ${shown(fields.publish_date)} is ${what}.`);
  }
  const id = fields.id === null || fields.id === undefined ? undefined : Number(fields.id);
  if (id !== undefined && !(Number.isSafeInteger(id) && id > 0)) {
    faults.push(`id ${shown(fields.id)} is not a whole number from 1 up.`);
  }
  const html = String(fields.content_markdown ?? "");
  return { issue: { id, title: text("title"), html, publishDate: day ?? "" }, faults };
}

function shown(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 40);
}

/** Imports issues, all or none; those without an id follow. Throws a RangeError for an invalid date. */
export async function importIssues(
  db: Db,
  issues: readonly ImportedIssue[],
  now = new Date(),
): Promise<{ imported: number; taken: ReadonlyMap<number, string> }> {
  const withId = issues.filter(({ id }) => id !== undefined);
  const ordered = [...withId, ...issues.filter(({ id }) => id === undefined)];
  // Before the transaction: hundreds of bodies take seconds, in which visitors could write nothing.
  const bodies: PreparedBody[] = [];
  for (const { html } of ordered) bodies.push(await prepareBody(html));
  return await db.transaction().execute(async (trx) => {
    if (isPostgres(trx)) {
      // Readers go on; nobody else can take an id before the insert. SQLite is locked already.
      await sql`lock table final_newsletters in share row exclusive mode`.execute(trx);
    }
    const ids = [0, ...withId.map(({ id }) => id ?? 0)];
    const titlesIn = async (table: "binned_issues" | "final_newsletters") =>
      await trx.selectFrom(table).select(["id", "title"]).where("id", "in", ids).execute();
    // An issue in the bin keeps its id.
    const found = [...(await titlesIn("binned_issues")), ...(await titlesIn("final_newsletters"))];
    const taken = new Map(found.map(({ id, title }) => [id, title]));
    if (taken.size > 0) return { imported: 0, taken };
    for (const [index, issue] of ordered.entries()) {
      await makeIssue(trx, issue, { body: bodies[index], now });
      if (index === withId.length - 1 && isPostgres(trx)) await moveSequencePastIds(trx);
    }
    return { imported: issues.length, taken };
  });
}

// SQLite's autoincrement does this by itself. Never backwards, so that a removed id isn't reused.
async function moveSequencePastIds(trx: Transaction<Database>): Promise<void> {
  await sql`
    with ids as (
      select pg_get_serial_sequence('final_newsletters', 'id')::regclass as sequence,
        (select max(id) from final_newsletters) as highest
    )
    select setval(sequence, greatest(highest, coalesce(pg_sequence_last_value(sequence), 0)))
    from ids`.execute(trx);
}
