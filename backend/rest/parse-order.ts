import { bodyColumn, headColumns, type IssueColumn, readColumnName } from "./issue-column.ts";
import { overLimit, parseError } from "./postgrest-error.ts";
import { termMaxLength, termsMax } from "./rest-limits.ts";
import { splitList } from "./split-list.ts";

export type OrderTerm = {
  column: IssueColumn;
  direction: "asc" | "desc";
  nulls: "first" | "last";
};

const term = /^([A-Za-z_][A-Za-z0-9_ ]*|"[^"]+")(?:\.(asc|desc))?(?:\.(nullsfirst|nullslast))?$/;

/**
 * `order`: terms such as `title.desc.nullslast`. Where NULLs are not placed, they stand where PostgreSQL puts them: last
 * in ascending order, first in descending. The last term is always by id, so that pages never overlap. Each column
 * stands once, and never the body: sorting by it would read the whole archive.
 */
export function parseOrder(text: string | null): OrderTerm[] {
  const pieces = text === null || text.trim() === "" ? [] : splitList(text, termsMax);
  const terms = pieces.slice(0, termsMax).map((piece) => parseTerm(piece.trim(), text ?? ""));
  const columns = terms.map(({ column }) => column);
  const repeated = columns.find((column, index) => columns.indexOf(column) < index);
  if (repeated !== undefined || pieces.length > termsMax) {
    throw overLimit(
      repeated === undefined
        ? `order has more than ${termsMax} terms.`
        : `order names the column ${repeated} more than once.`,
      "Order by each column once.",
    );
  }
  return terms.some(({ column }) => column === "id")
    ? terms
    : [...terms, { column: "id", direction: "asc", nulls: "last" }];
}

function parseTerm(piece: string, whole: string): OrderTerm {
  if (piece.length > termMaxLength) {
    throw overLimit(`A term of order is longer than ${termMaxLength} characters.`);
  }
  const [, name, direction = "asc", nulls] = term.exec(piece) ?? [];
  if (name === undefined || (direction !== "asc" && direction !== "desc")) {
    throw parseError("order", whole, "column[.asc|.desc][.nullsfirst|.nullslast]");
  }
  const column = readColumnName(name);
  if (column === bodyColumn) {
    throw overLimit(`order can't be by ${bodyColumn}.`, `Order by ${headColumns.join(", ")}.`);
  }
  const defaultNulls = direction === "asc" ? "last" : "first";
  return {
    column,
    direction,
    nulls: nulls === undefined ? defaultNulls : nulls === "nullsfirst" ? "first" : "last",
  };
}
