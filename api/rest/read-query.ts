import { type Filter, parseFilter } from "./parse-filter.ts";
import { type OrderTerm, parseOrder } from "./parse-order.ts";
import { parseRange, type RowRange } from "./parse-range.ts";
import { parseSelect, type SelectedField } from "./parse-select.ts";
import { overLimit, PostgrestError } from "./postgrest-error.ts";
import { type AnswerShape, readAnswerShape } from "./read-answer-shape.ts";
import { filtersMax, headerMaxLength, parametersMax, queryMaxLength } from "./rest-limits.ts";

/** Words of the query string that name no column. */
const reserved = new Set(["select", "order", "limit", "offset", "columns", "on_conflict"]);

const boundedHeaders = ["accept", "accept-profile", "prefer", "range"];
const publicSchema = "public";
const askedCount = /(?:^|[\s,])count=(?:exact|planned|estimated)(?:$|[\s,])/;

export type IssuesQuery = {
  fields: SelectedField[];
  filters: Filter[];
  order: OrderTerm[];
  range: RowRange;
  shape: AnswerShape;
  /** True where `Prefer` asks how many rows there are in all. */
  counted: boolean;
};

/** Reads a request for issues; throws a PostgrestError for what it can't read or may not ask. */
export function readQuery(request: Request): IssuesQuery {
  const { searchParams, search } = new URL(request.url);
  const { headers } = request;
  refuseTooLong(search, headers);
  refuseOtherSchema(headers.get("accept-profile"));
  const shape = readAnswerShape(headers.get("accept"));
  if (searchParams.size > parametersMax) {
    throw overLimit(`The query string has more than ${parametersMax} parameters.`);
  }
  const columnFilters = [...searchParams].filter(([name]) => !reserved.has(name));
  if (columnFilters.length > filtersMax) {
    throw overLimit(`The query string has more than ${filtersMax} filters.`);
  }
  const fields = parseSelect(searchParams.get("select"));
  return {
    // A HEAD answer shows how many rows there are and nothing in them, so their bodies stay in the database.
    fields: request.method === "HEAD" ? [{ name: "id", column: "id" }] : fields,
    filters: columnFilters.map(([name, text]) => parseFilter(name, text)),
    order: parseOrder(searchParams.get("order")),
    // PostgREST reads the header for GET alone, as HTTP defines it.
    range: parseRange(searchParams, request.method === "GET" ? headers.get("range") : null),
    shape,
    counted: askedCount.test(headers.get("prefer") ?? ""),
  };
}

function refuseTooLong(search: string, headers: Headers): void {
  if (search.length > queryMaxLength) {
    throw overLimit(`The query string is longer than ${queryMaxLength} characters.`);
  }
  const tooLong = boundedHeaders.find((name) => (headers.get(name)?.length ?? 0) > headerMaxLength);
  if (tooLong !== undefined) {
    throw new PostgrestError({
      status: 431,
      code: "PGRST100",
      message: `The header ${tooLong} is longer than ${headerMaxLength} characters.`,
    });
  }
}

function refuseOtherSchema(profile: string | null): void {
  if (profile !== null && profile !== publicSchema) {
    throw new PostgrestError({
      status: 406,
      code: "PGRST106",
      message: `Invalid schema: ${profile}`,
      hint: `Only the following schemas are exposed: ${publicSchema}`,
    });
  }
}
