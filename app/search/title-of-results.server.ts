import { search } from "#content/pages/search.ts";
import { cutAtWord } from "../newsletter/issue/cut-at-word.ts";

const titleMaxLength = 60;

/** The title of a page of results, with as much of the query as a tab or a bookmark shows. */
export function titleOfResults(query: string): string {
  const { resultsTitle } = search;
  const room = titleMaxLength - resultsTitle.length - " “”".length;
  return `${resultsTitle} “${cutAtWord(query, room)}”`;
}
