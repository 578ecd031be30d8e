import { PostgrestError } from "./postgrest-error.ts";
import { maxRows } from "./rest-limits.ts";

export type RowRange = { offset: number; limit: number };

const number = /^-?\d+$/;
const rangeHeader = /^(\d+)-(\d*)$/;

/**
 * Which rows: where `limit` and `offset` and a `Range` header are both there, what both allow. As at PostgREST, text
 * that is no number is passed over.
 */
export function parseRange(params: URLSearchParams, header: string | null): RowRange {
  const limit = readNumber(params.get("limit"));
  const offset = readNumber(params.get("offset")) ?? 0;
  if (limit !== null && limit < 0) {
    throw unsatisfiable("Limit should be greater than or equal to zero.");
  }
  if (offset < 0) {
    throw new PostgrestError({
      status: 400,
      code: "2201X",
      message: "OFFSET must not be negative",
    });
  }
  const [, first, last] = rangeHeader.exec(header ?? "") ?? [];
  const headerStart = toSafe(first ?? "0");
  const headerEnd = last ? toSafe(last) : Number.MAX_SAFE_INTEGER;
  const start = Math.max(offset, headerStart);
  const end = Math.min(limit === null ? Number.MAX_SAFE_INTEGER : offset + limit - 1, headerEnd);
  if (end < start && limit !== 0) {
    throw unsatisfiable(
      "The lower boundary must be lower than or equal to the upper boundary in the Range header.",
    );
  }
  return { offset: start, limit: Math.min(Math.max(end - start + 1, 0), maxRows) };
}

/** 416 in PostgREST's words. */
export function unsatisfiable(details: string, headers?: Record<string, string>): PostgrestError {
  return new PostgrestError({
    status: 416,
    code: "PGRST103",
    message: "Requested range not satisfiable",
    details,
    headers,
  });
}

function readNumber(text: string | null): number | null {
  if (text === null || !number.test(text.trim())) {
    return null;
  }
  return toSafe(text);
}

// A number too large to count rows with means the same as the largest one.
function toSafe(text: string): number {
  return Math.max(Math.min(Number(text), Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER);
}
