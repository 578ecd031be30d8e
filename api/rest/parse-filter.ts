import { readColumnValue } from "./column-value.ts";
import { bodyColumn, headColumns, type IssueColumn, readColumnName } from "./issue-column.ts";
import { overLimit, PostgrestError, parseError } from "./postgrest-error.ts";
import { filterValueMaxLength, listMaxValues } from "./rest-limits.ts";
import { splitList } from "./split-list.ts";

type ComparisonOperator = "=" | "<>" | ">" | ">=" | "<" | "<=";
type Value = bigint | string;

export type Filter = { column: IssueColumn; negated: boolean } & (
  | { operator: ComparisonOperator; value: Value }
  | { operator: "in"; values: Value[] }
  | { operator: "is null" }
);

const comparisons: ReadonlyMap<string, ComparisonOperator> = new Map([
  ["eq", "="],
  ["neq", "<>"],
  ["gt", ">"],
  ["gte", ">="],
  ["lt", "<"],
  ["lte", "<="],
]);

const expectedOperators = '"not" or operator (eq, neq, gt, gte, lt, lte, in, is)';

/** Names that are words of the query string elsewhere in PostgREST, not columns. */
const logicNames = ["and", "or", "not.and", "not.or"];

/** One filter of the query string, such as `id=not.in.(1,2)`: `name` is `id`, `text` the rest. */
export function parseFilter(name: string, text: string): Filter {
  if (logicNames.includes(name)) {
    throw parseError("logic tree", `${name}${text}`, "filters on single columns");
  }
  const negated = text.startsWith("not.");
  const rest = negated ? text.slice("not.".length) : text;
  const dot = rest.indexOf(".");
  const operator = rest.slice(0, Math.max(dot, 0));
  const operand = rest.slice(dot + 1);

  const comparison = comparisons.get(operator);
  if (comparison === undefined && operator !== "in" && operator !== "is") {
    throw parseError("filter", text, expectedOperators);
  }
  const column = readColumnName(name);
  if (column === bodyColumn) {
    throw overLimit(
      `Rows can't be filtered by ${bodyColumn}.`,
      `Filter by ${headColumns.join(", ")}.`,
    );
  }
  if (comparison !== undefined) {
    return { column, negated, operator: comparison, value: readValue(column, operand) };
  }
  if (operator === "in") {
    const values = parseValues(operand, text).map((value) => readValue(column, value));
    return { column, negated, operator: "in", values };
  }
  return parseIs(column, negated, operand, text);
}

function parseIs(column: IssueColumn, negated: boolean, operand: string, whole: string): Filter {
  switch (operand.toLowerCase()) {
    case "null":
      return { column, negated, operator: "is null" };
    case "not_null":
      return { column, negated: !negated, operator: "is null" };
    case "true":
    case "false":
    case "unknown":
      throw new PostgrestError({
        status: 400,
        code: "42804",
        message: `argument of IS ${operand.toUpperCase()} must be type boolean`,
      });
    default:
      throw parseError("filter", whole, "null, not_null, true, false or unknown");
  }
}

function parseValues(operand: string, whole: string): string[] {
  if (!operand.startsWith("(") || !operand.endsWith(")")) {
    throw parseError("filter", whole, "a list in parentheses");
  }
  const inside = operand.slice(1, -1);
  if (inside === "") return [];
  const pieces = splitList(inside, listMaxValues);
  if (pieces.length > listMaxValues) {
    throw overLimit(`A list has more than ${listMaxValues} values.`);
  }
  return pieces.map(unquote);
}

function readValue(column: IssueColumn, text: string): Value {
  if (text.length > filterValueMaxLength) {
    throw overLimit(`A filter's value is longer than ${filterValueMaxLength} characters.`);
  }
  return readColumnValue(column, text);
}

function unquote(value: string): string {
  const quoted = /^\s*"(.*)"\s*$/s.exec(value)?.[1];
  return quoted === undefined ? value : quoted.replaceAll(/\\(.)/gs, "$1");
}
