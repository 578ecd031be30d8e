import { type BroughtSumId, broughtSums, worksheetWords } from "#content/worksheet.ts";
import { readNumber, writeDollars } from "./worksheet-sum.ts";

const contactPath = "/contact";

/**
 * The contact page's address with a sum on board, so that it arrives without scripts and nothing is stored; without one
 * while there is none.
 */
export function pathWithSum(sheet: BroughtSumId, dollars: number | null): string {
  return dollars === null ? contactPath : `${contactPath}?sheet=${sheet}&sum=${dollars}`;
}

/**
 * The message that such an address brings, for the visitor to go on with; empty where it brings none. The words are the
 * site's own, so that nobody can put others into them by a link.
 */
export function broughtMessage(search: string): string {
  const query = new URLSearchParams(search);
  const sheet = query.get("sheet") ?? "";
  const dollars = readNumber(query.get("sum") ?? "");
  if (!Object.hasOwn(broughtSums, sheet) || dollars === null) return "";
  return worksheetWords.message(sheet as BroughtSumId, writeDollars(dollars));
}
