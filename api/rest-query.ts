import { HTTPException } from "hono/http-exception";
import { issueColumns, issuesTable } from "#contracts/issue.ts";

export type IssueColumn = (typeof issueColumns)[number];

/** The one long column; nothing is sorted by it. */
export const bodyColumn = "content_markdown" satisfies IssueColumn;

/** A parsed request: `GET /rest/v1/final_newsletters?select=id,title&id=gt.3&order=id.desc&limit=5`. */
export type IssuesQuery = {
  columns: IssueColumn[];
  filters: IdFilter[];
  order: { column: IssueColumn; direction: "asc" | "desc" }[];
  offset: number;
  limit: number;
  /** `Accept` asks for one object, not an array. */
  isObject: boolean;
  /** `Prefer` asks for the total. */
  isCounted: boolean;
};

export type IdFilter = { isNegated: boolean } & (
  | { operator: "=" | "<>" | ">" | ">=" | "<" | "<="; value: bigint }
  | { operator: "in"; value: bigint[] }
);

/** PostgREST's `db-max-rows`, at Supabase's default. */
const maxRows = 1_000;
const maxQueryLength = 4_096;
const maxParameters = 16;

const comparisons = { eq: "=", neq: "<>", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;
const reservedNames = new Set(["select", "order", "limit", "offset", "columns", "on_conflict"]);
const orderTerm = /^(\w+)(?:\.(asc|desc))?(?:\.nulls(?:first|last))?$/;
const askedCount = /(?:^|[\s,])count=(?:exact|planned|estimated)(?:$|[\s,])/;
const arrayTypes = ["*/*", "application/*", "application/json", "application/vnd.pgrst.array+json"];
const objectType = "application/vnd.pgrst.object+json";

type RefusalOptions = { details?: string; hint?: string; headers?: Record<string, string> };

/**
 * An error with PostgREST's code (`PGRST…`) or PostgreSQL's SQLSTATE, and its words
 * (https://docs.postgrest.org/en/stable/references/errors.html).
 */
export function refusal(
  status: 400 | 401 | 404 | 405 | 406 | 416 | 429 | 503,
  code: string,
  message: string,
  { details, hint, headers }: RefusalOptions = {},
): HTTPException {
  const body = { code, details: details ?? null, hint: hint ?? null, message };
  const res = Response.json(body, { status, headers: { "Cache-Control": "no-store", ...headers } });
  return new HTTPException(status, { message, res });
}

/** Parses a request for issues; throws a `refusal` of an invalid one. */
export function readIssuesQuery({ url, method, headers }: Request): IssuesQuery {
  const { searchParams, search } = new URL(url);
  if (search.length > maxQueryLength || searchParams.size > maxParameters) {
    throw overLimit(
      `The query string has more than ${maxQueryLength} characters or ${maxParameters} parameters.`,
    );
  }
  return {
    columns: readSelect(searchParams.get("select")),
    filters: [...searchParams]
      .filter(([name]) => !reservedNames.has(name))
      .map(([name, text]) => readFilter(name, text)),
    order: readOrder(searchParams.get("order")),
    // HTTP and PostgREST define the Range header for GET alone.
    ...readRange(searchParams, method === "GET" ? headers.get("range") : null),
    isObject: readIsObject(headers.get("accept")),
    isCounted: askedCount.test(headers.get("prefer") ?? ""),
  };
}

function readSelect(text: string | null): IssueColumn[] {
  const names = (text ?? "").trim() || "*";
  if (names === "*") return [...issueColumns];
  return uniqueColumns(
    "select",
    names.split(",").map((name) => {
      if (!/^\s*\w+\s*$/.test(name)) {
        throw parseError("select parameter", names, "* or columns, separated by commas");
      }
      return columnNamed(name.trim());
    }),
  );
}

/** Ends with the id, so that pages never overlap. */
function readOrder(text: string | null): IssuesQuery["order"] {
  const terms = (text ?? "").trim() === "" ? [] : (text ?? "").split(",");
  const order = terms.map((term) => {
    const [, name, direction] = orderTerm.exec(term.trim()) ?? [];
    if (name === undefined) throw parseError("order", text ?? "", "column[.asc|.desc]");
    const column = columnNamed(name);
    if (column === bodyColumn) throw overLimit(`order can't be by ${bodyColumn}.`);
    return { column, direction: direction === "desc" ? "desc" : "asc" } as const;
  });
  const columns = order.map(({ column }) => column);
  uniqueColumns("order", columns);
  return columns.includes("id") ? order : [...order, { column: "id", direction: "asc" }];
}

/** Limits the cost of a request: an answer is never longer than the table. */
function uniqueColumns(parameter: string, columns: IssueColumn[]): IssueColumn[] {
  if (new Set(columns).size < columns.length) {
    throw overLimit(`${parameter} names a column more than once.`);
  }
  return columns;
}

function columnNamed(name: string): IssueColumn {
  const column = issueColumns.find((known) => known === name);
  if (column) return column;
  throw refusal(400, "42703", `column ${issuesTable}.${name} does not exist`);
}

function readFilter(name: string, text: string): IdFilter {
  if (/^(?:not\.)?(?:and|or)$/.test(name)) {
    throw parseError("logic tree", `${name}${text}`, "filters on single columns");
  }
  if (columnNamed(name) !== "id") {
    throw parseError("filter", text, "a filter on id");
  }
  const [, not, operator = "", operand = ""] = /^(not\.)?(\w+)\.(.*)$/s.exec(text) ?? [];
  const isNegated = not !== undefined;
  const list = operator === "in" ? /^\((.*)\)$/s.exec(operand)?.[1] : undefined;
  if (list !== undefined) {
    return { isNegated, operator: "in", value: list === "" ? [] : listElements(list).map(readId) };
  }
  if (Object.hasOwn(comparisons, operator)) {
    const comparison = comparisons[operator as keyof typeof comparisons];
    return { isNegated, operator: comparison, value: readId(operand) };
  }
  throw parseError("filter", text, "operator (eq, neq, gt, gte, lt, lte, in)");
}

/** A quotation mark quotes an element only at its start (PostgREST's `pListElement`). */
function listElements(list: string): string[] {
  const elements = list.matchAll(/(?:^|,)(?:"((?:[^"\\]|\\.)*)"(?=,|$)|([^,]*))/gs);
  return Array.from(
    elements,
    ([, quoted, plain = ""]) => quoted?.replace(/\\(.)/gs, "$1") ?? plain,
  );
}

function readId(text: string): bigint {
  if (!/^\s*[+-]?\d+\s*$/.test(text)) {
    throw refusal(400, "22P02", `invalid input syntax for type bigint: "${text}"`);
  }
  const value = BigInt(text.trim().replace(/^\+/, ""));
  if (BigInt.asIntN(64, value) !== value) {
    throw refusal(400, "22003", `value "${text}" is out of range for type bigint`);
  }
  return value;
}

/** Combines `limit`, `offset` and the `Range` header. */
function readRange(params: URLSearchParams, header: string | null) {
  const limit = readCount(params.get("limit")) ?? Number.MAX_SAFE_INTEGER;
  const offset = readCount(params.get("offset")) ?? 0;
  if (limit < 0) throw unsatisfiable("Limit should be greater than or equal to zero.");
  if (offset < 0) throw refusal(400, "2201X", "OFFSET must not be negative");
  const [, first, last] = /^(\d+)-(\d*)$/.exec(header ?? "") ?? [];
  const start = Math.max(offset, readCount(first) ?? 0);
  const end = Math.min(offset + limit, (readCount(last) ?? Number.MAX_SAFE_INTEGER) + 1);
  if (end <= start && limit !== 0) {
    throw unsatisfiable(
      "The lower boundary must be lower than or equal to the upper boundary in the Range header.",
    );
  }
  return { offset: start, limit: Math.min(Math.max(end - start, 0), maxRows) };
}

/** PostgREST ignores what isn't a number. */
function readCount(text: string | null | undefined): number | null {
  if (!/^-?\d+$/.test(text ?? "")) return null;
  return Math.max(Math.min(Number(text), 2 ** 52), -1);
}

/** The first known media type wins. */
function readIsObject(accept: string | null): boolean {
  const asked = accept?.trim() || "*/*";
  const types = asked.split(",").map((type) => type.split(";")[0]?.trim().toLowerCase() ?? "");
  const known = types.find((type) => type === objectType || arrayTypes.includes(type));
  if (known) return known === objectType;
  throw refusal(406, "PGRST107", `None of these media types are available: ${asked}`);
}

export function unsatisfiable(details: string, headers?: Record<string, string>): HTTPException {
  const options = { details, ...(headers && { headers }) };
  return refusal(416, "PGRST103", "Requested range not satisfiable", options);
}

/** PostgreSQL's program_limit_exceeded. */
export function overLimit(message: string, hint?: string): HTTPException {
  return refusal(400, "54000", message, hint ? { hint } : {});
}

function parseError(what: string, text: string, expected: string): HTTPException {
  const message = `"failed to parse ${what} (${text})" (line 1, column 1)`;
  return refusal(400, "PGRST100", message, { details: `expecting ${expected}` });
}
