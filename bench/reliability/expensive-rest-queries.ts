import { setImmediate as nextRound } from "node:timers/promises";
import { bodyColumn } from "#api/rest/issue-column.ts";
import { PostgrestError } from "#api/rest/postgrest-error.ts";
import { type IssuesQuery, readQuery } from "#api/rest/read-query.ts";
import { restQueries } from "#tests/reliability/rest-queries.ts";

const searched = 4_000;
/** The archive that the work is reckoned for. */
const archiveIssues = 10_000;
const seed = 1;

type ExpensiveRestQueries = {
  /** Query strings that are answered with rows, the dearest first. */
  accepted: string[];
  /** Query strings that are refused, the dearest first. */
  refused: string[];
};

/**
 * The dearest of four thousand queries of the grammar, by the work that they ask for: the same ones each time, so that
 * two runs measure the same. What they really cost is for the measurement to say.
 */
export function expensiveRestQueries(count = 20): ExpensiveRestQueries {
  const accepted: { query: string; work: number }[] = [];
  const refused: { query: string; work: number }[] = [];
  for (const query of new Set(first(searched))) {
    const read = tryToRead(query);
    if (read) accepted.push({ query, work: workOf(read) });
    // Refusing costs what reading the text costs.
    else refused.push({ query, work: query.length });
  }
  const dearest = (found: { query: string; work: number }[]) =>
    found
      .toSorted((a, b) => b.work - a.work)
      .slice(0, count)
      .map(({ query }) => query);
  return { accepted: dearest(accepted), refused: dearest(refused) };
}

type MeasuredQuery = { query: string; status: number; bytes: number; cpuMs: number };

/**
 * Asks every one of so many queries and gives the dearest by this process's processor time, the least of three askings,
 * so that `ask` must answer in this process. The longest answer comes first among those that cost the same.
 */
export async function searchExpensiveRestQueries(
  ask: (query: string) => Promise<Response>,
  { runs, count }: { runs: number; count: number },
): Promise<MeasuredQuery[]> {
  const measured: MeasuredQuery[] = [];
  for (const query of first(runs)) {
    const times = [await measure(ask, query), await measure(ask, query), await measure(ask, query)];
    const [least] = times.toSorted((a, b) => a.cpuMs - b.cpuMs);
    if (least) measured.push(least);
  }
  return measured.toSorted((a, b) => b.cpuMs - a.cpuMs || b.bytes - a.bytes).slice(0, count);
}

async function measure(
  ask: (query: string) => Promise<Response>,
  query: string,
): Promise<MeasuredQuery> {
  await nextRound();
  const before = process.cpuUsage();
  const response = await ask(query);
  const { byteLength } = await response.arrayBuffer();
  const { user, system } = process.cpuUsage(before);
  return { query, status: response.status, bytes: byteLength, cpuMs: (user + system) / 1_000 };
}

function* first(count: number): Generator<string> {
  let left = count;
  for (const query of restQueries(seed)) {
    if (left === 0) return;
    left -= 1;
    yield query;
  }
}

function tryToRead(query: string): IssuesQuery | null {
  try {
    return readQuery(new Request(`http://localhost/final_newsletters?${query}`));
  } catch (error) {
    if (error instanceof PostgrestError) return null;
    throw error;
  }
}

// In rough microseconds on an archive of ten thousand issues, as the search by measuring has shown.
function workOf({ fields, filters, order, range }: IssuesQuery): number {
  // A filter that lets little through spares the sorting, which costs most.
  const findsNothing =
    range.offset >= archiveIssues ||
    filters.some(({ operator, negated }) => ["=", "in", "is null"].includes(operator) !== negated);
  const rows = findsNothing ? 0 : range.limit;
  const goesByKey = order[0]?.column === "id";
  const scanned = findsNothing || (goesByKey && filters.length === 0) ? rows : archiveIssues;
  const perRow = filters.reduce(
    (sum, filter) => sum + (filter.operator === "in" ? 0.5 : 0.1),
    goesByKey ? 0.1 : 0.4 * order.length,
  );
  const hasBodies = fields.some(({ column }) => column === bodyColumn);
  const bodies = hasBodies ? Math.min(rows, 90) * 100 : 0;
  return scanned * perRow + rows * fields.length + bodies;
}
