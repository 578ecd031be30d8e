import type { ReadArchive } from "#newsletter/archive-reads.ts";
import { bodyColumn } from "./issue-column.ts";
import { unsatisfiable } from "./parse-range.ts";
import { overLimit, PostgrestError } from "./postgrest-error.ts";
import type { IssuesQuery } from "./read-query.ts";
import { answerMaxBytes, pieceBytes, sizedAtOnce } from "./rest-limits.ts";
import { bodySizes, countRows, type IssueHead, selectHeads, selectRows } from "./select-issues.ts";

type IssuesAnswer = {
  status: 200 | 206;
  /** `0-14/15`; `*` in place of rows where there are none, and of the total where it was not asked. */
  contentRange: string;
  /** The JSON in parts; each reads the rows that it is made of, and no more. */
  pieces: (() => Promise<string>)[];
};

/**
 * Runs a query and gives PostgREST's answer to it; throws a PostgrestError where that is an error. Which rows they are
 * and how long is known before any body is read, and bodies are read a few at a time. `isOwnPage`: a page of the site
 * asks, for what it shows, and may be given a body of any length.
 */
export async function readIssues(
  read: ReadArchive,
  query: IssuesQuery,
  { isOwnPage = false }: { isOwnPage?: boolean } = {},
): Promise<IssuesAnswer> {
  const { heads, total } = await findRows(read, query);
  const { offset } = query.range;
  if (total !== null && offset > total) {
    throw unsatisfiable(`An offset of ${offset} was requested, but there are only ${total} rows.`, {
      "Content-Range": `*/${total}`,
    });
  }
  const isObject = query.shape === "object";
  if (isObject && heads.length !== 1) {
    throw new PostgrestError({
      status: 406,
      code: "PGRST116",
      message: "Cannot coerce the result to a single JSON object",
      details: `The result contains ${heads.length} rows`,
    });
  }
  const hasBodies = query.fields.some(({ column }) => column === bodyColumn);
  const rows = hasBodies
    ? await planPieces(read, query, heads, isOwnPage)
    : [async () => heads.map((head) => JSON.stringify(asFields(query, head))).join()];
  const span = heads.length === 0 ? "*" : `${offset}-${offset + heads.length - 1}`;
  return {
    status: total !== null && heads.length < total ? 206 : 200,
    contentRange: `${span}/${total ?? "*"}`,
    pieces: isObject ? rows : inBrackets(rows),
  };
}

async function findRows(
  read: ReadArchive,
  query: IssuesQuery,
): Promise<{ heads: IssueHead[]; total: number | null }> {
  if (!query.counted) return { heads: await read((db) => selectHeads(db, query)), total: null };
  // Rows and total of one moment: an issue may be published in between.
  return await read((db) =>
    db
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute(async (trx) => {
        const total = await countRows(trx, query);
        return { heads: await selectHeads(trx, query), total };
      }),
  );
}

function asFields({ fields }: IssuesQuery, head: IssueHead): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name, column }) => [name, head[column]]));
}

/** Parts that read about `pieceBytes` each; an issue removed before its part is read is left out. */
async function planPieces(
  read: ReadArchive,
  { fields }: IssuesQuery,
  heads: IssueHead[],
  isOwnPage: boolean,
): Promise<(() => Promise<string>)[]> {
  const groups: number[][] = [];
  let total = 0;
  let room = 0;
  for (let start = 0; start < heads.length; start += sizedAtOnce) {
    const ids = heads.slice(start, start + sizedAtOnce).map(({ id }) => id);
    const sizes = await read((db) => bodySizes(db, ids));
    for (const id of ids) {
      const bytes = sizes.get(id) ?? 0;
      total += bytes;
      if (bytes > room || groups.length === 0) {
        groups.push([]);
        room = pieceBytes;
      }
      room -= bytes;
      groups.at(-1)?.push(id);
    }
    if (total > answerMaxBytes && !isOwnPage) throw tooLong(heads.length);
  }
  return groups.map((ids) => async () => {
    const rows = await read((db) => selectRows(db, fields, ids));
    const found = new Map(rows.map(({ id, json }) => [id, json]));
    return ids.flatMap((id) => found.get(id) ?? []).join();
  });
}

function tooLong(rows: number): PostgrestError {
  return overLimit(
    `The ${rows} rows hold more than ${answerMaxBytes} bytes of ${bodyColumn}, the most in one answer.`,
    `Ask for fewer rows at a time with limit and offset or a Range header, or select other columns than ${bodyColumn}.`,
  );
}

function inBrackets(pieces: (() => Promise<string>)[]): (() => Promise<string>)[] {
  // Removed issues can leave a part empty, and then no comma follows it.
  let hasRows = false;
  const joined = pieces.map((read) => async () => {
    const text = await read();
    const separator = text !== "" && hasRows ? "," : "";
    hasRows ||= text !== "";
    return separator + text;
  });
  const [first = async () => "", ...rest] = joined;
  const open = async () => `[${await first()}`;
  const last = rest.pop();
  return last ? [open, ...rest, async () => `${await last()}]`] : [async () => `${await open()}]`];
}
