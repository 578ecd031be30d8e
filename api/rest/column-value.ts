import type { IssueColumn } from "./issue-column.ts";
import { PostgrestError } from "./postgrest-error.ts";

const wholeNumber = /^\s*[+-]?\d+\s*$/;
const smallestBigint = -(2n ** 63n);
const largestBigint = 2n ** 63n - 1n;

// A day, and perhaps a time of that day behind it, as a hosted table with times would be asked.
const dayShape = /^\s*(\d{4}-\d\d-\d\d)(?:[T ][\d:.]+(?:Z|[+-][\d:]+)?)?\s*$/;

/**
 * A filter's value as the column's type, refused in PostgreSQL's words where it is none. Dates stay text, which
 * compares as dates do on both databases.
 */
export function readColumnValue(column: IssueColumn, text: string): bigint | string {
  if (column === "id") {
    return readBigint(text);
  }
  if (column === "publish_date") {
    return readDay(text);
  }
  if (text.includes("\u0000")) {
    throw badValue("22021", 'invalid byte sequence for encoding "UTF8": 0x00');
  }
  return text;
}

function readBigint(text: string): bigint {
  if (!wholeNumber.test(text)) {
    throw badValue("22P02", `invalid input syntax for type bigint: "${text}"`);
  }
  const value = BigInt(text.trim().replace(/^\+/, ""));
  if (value < smallestBigint || value > largestBigint) {
    throw badValue("22003", `value "${text}" is out of range for type bigint`);
  }
  return value;
}

function readDay(text: string): string {
  const day = dayShape.exec(text)?.[1];
  if (day === undefined) {
    throw badValue("22007", `invalid input syntax for type date: "${text}"`);
  }
  const time = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(time.getTime()) || !time.toISOString().startsWith(day) || day < "0001") {
    throw badValue("22008", `date/time field value out of range: "${text}"`);
  }
  return day;
}

function badValue(code: string, message: string): PostgrestError {
  return new PostgrestError({ status: 400, code, message });
}
