import type { IssueColumn } from "./issue-column.ts";
import { overLimit } from "./postgrest-error.ts";
import { termMaxLength, termsMax } from "./rest-limits.ts";
import { splitList } from "./split-list.ts";

type Terms<Term> = {
  /** The parameter's name. */
  name: "select" | "order";
  /** What one of its terms is called. */
  noun: "term" | "field";
  /** How to ask instead. */
  hint: string;
  read(piece: string): Term[];
};

/** The terms of `select` or `order`, in which each column stands once; of no more is any looked at. */
export function readTerms<Term extends { column: IssueColumn }>(
  text: string,
  { name, noun, hint, read }: Terms<Term>,
): Term[] {
  const pieces = splitList(text, termsMax);
  const terms = pieces.slice(0, termsMax).flatMap((piece) => {
    const term = piece.trim();
    if (term.length > termMaxLength) {
      throw overLimit(`A ${noun} of ${name} is longer than ${termMaxLength} characters.`);
    }
    return read(term);
  });
  const columns = terms.map(({ column }) => column);
  const repeated = columns.find((column, index) => columns.indexOf(column) < index);
  if (repeated !== undefined) {
    throw overLimit(`${name} names the column ${repeated} more than once.`, hint);
  }
  if (pieces.length > termsMax) {
    throw overLimit(`${name} has more than ${termsMax} ${noun}s.`, hint);
  }
  return terms;
}
