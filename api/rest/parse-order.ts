import { bodyColumn, headColumns, type IssueColumn, readColumnName } from "./issue-column.ts";
import { overLimit, parseError } from "./postgrest-error.ts";
import { readTerms } from "./read-terms.ts";

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
  const terms =
    text === null || text.trim() === ""
      ? []
      : readTerms(text, {
          name: "order",
          noun: "term",
          hint: "Order by each column once.",
          read: (piece) => [parseTerm(piece, text)],
        });
  return terms.some(({ column }) => column === "id")
    ? terms
    : [...terms, { column: "id", direction: "asc", nulls: "last" }];
}

function parseTerm(piece: string, whole: string): OrderTerm {
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
