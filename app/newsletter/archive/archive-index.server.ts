import type { SiteSettings } from "#contracts/site-settings.ts";
import {
  type IdRange,
  type IssueHead,
  type IssuesAccess,
  type IssuesReader,
  readerOfIssues,
} from "./issues-client.server.ts";

/** Every issue's id, title and date, newest first: what lists, numbers and neighbours are made of. */
export type ArchiveIndex = {
  heads: readonly IssueHead[];
  /** How many issues there are; more than `heads` where there are more than {@link maxHeads}. */
  total: number;
};

/** Most issues that are listed; a weekly newsletter has as many in nine centuries. They take some 10 MB. */
const maxHeads = 50_000;

/** The newest issues, looked at before every page is made: what the archive lists and the feeds tell is always fresh. */
const windowRows = 30;

/** Rows in one read. A PostgREST server may give fewer; later rows are then read by their ids. */
const pageRows = 1_000;

/**
 * After this long all heads are read again in the background, since a title may have been mended by hand, unless it is
 * known that nothing was.
 */
const maxAgeMs = 5 * 60_000;

type Known = {
  index: ArchiveIndex | null;
  looking: Promise<ArchiveIndex> | null;
  /** For all who asked while a look was under way. */
  next: Promise<ArchiveIndex> | null;
  readAt: number;
  /** The archive's version when it was last looked at, and when all heads were last read; null where it isn't known. */
  version: string | null;
  readVersion: string | null;
};

const knownBySite = new WeakMap<SiteSettings, Known>();

/**
 * The archive as it is now. Where its version is the one that was read, nothing is. Else its newest issues and its size
 * are; where they show a change, so is what has changed, found by counting. Rejects when the issues can't be read.
 */
export function currentArchive(access: IssuesAccess): Promise<ArchiveIndex> {
  const known = knownOf(access);
  if (!known.looking) return lookNow(access, known);
  // What is under way may have read already what has changed since: a removed issue would stand on a page made of it.
  known.next ??= known.looking
    .catch(() => {})
    .then(() => {
      known.next = null;
      return known.looking ?? lookNow(access, known);
    });
  return known.next;
}

function lookNow(access: IssuesAccess, known: Known): Promise<ArchiveIndex> {
  known.looking = look(access, known).finally(() => {
    known.looking = null;
  });
  return known.looking;
}

/** Where the issue stands in `heads`; where it would stand, where it isn't among them. */
export function placeOf(
  { heads }: ArchiveIndex,
  id: number,
): { position: number; isThere: boolean } {
  let [low, high] = [0, heads.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((heads[middle]?.id ?? 0) > id) low = middle + 1;
    else high = middle;
  }
  return { position: low, isThere: heads[low]?.id === id };
}

/** The displayed number: its position counted from the oldest, by id (specification, section 3). */
export function numberAt({ total }: ArchiveIndex, position: number): number {
  return total - position;
}

function knownOf({ settings }: IssuesAccess): Known {
  const known = knownBySite.get(settings) ?? {
    ...{ index: null, looking: null, next: null },
    ...{ readAt: 0, version: null, readVersion: null },
  };
  knownBySite.set(settings, known);
  return known;
}

async function look(access: IssuesAccess, known: Known): Promise<ArchiveIndex> {
  const reader = readerOfIssues(access);
  const before = known.index;
  // Before the heads: what changes meanwhile makes the version another one than is remembered with them.
  const version = await reader.version();
  const isKnown = before !== null && version !== null && version === known.version;
  const index = isKnown ? before : await readChanges(reader, before);
  if (!before) Object.assign(known, { readAt: performance.now(), readVersion: version });
  // What was read again meanwhile is newer than what was looked at.
  if (known.index === before) known.index = index;
  known.version = version;
  const mayBeOld = version === null || version !== known.readVersion;
  if (index === before && mayBeOld && performance.now() - known.readAt > maxAgeMs) {
    readAgain(access, known);
  }
  return index;
}

/** The archive as it is now, and the very same where it is as before. */
async function readChanges(
  reader: IssuesReader,
  before: ArchiveIndex | null,
): Promise<ArchiveIndex> {
  const { heads: newest, total } = await reader.heads(everyId, windowRows);
  if (before && isUnchanged(before, newest, total)) return before;
  const oldest = newest.at(-1);
  if (!oldest) return { heads: [], total: 0 };
  const older = before?.heads.slice(firstBelow(before, oldest.id)) ?? [];
  const count = Math.min(total, maxHeads) - newest.length;
  const below = { above: null, below: oldest.id };
  // Beyond the limit, what is counted is more than what is known.
  const rest =
    total > maxHeads && older.length >= count
      ? older.slice(0, count)
      : await mend(reader, below, older, count);
  return { heads: [...newest.map((head) => sameIn(before, head)), ...rest], total };
}

const everyId: IdRange = { above: null, below: null };

function isUnchanged(before: ArchiveIndex, newest: readonly IssueHead[], total: number): boolean {
  return (
    before.total === total && newest.every((head, position) => isSame(head, before.heads[position]))
  );
}

function isSame(head: IssueHead, other: IssueHead | undefined): boolean {
  return (
    head.id === other?.id && head.title === other.title && head.publish_date === other.publish_date
  );
}

/**
 * The head that was known before, where it says the same. What is made of one, such as its words for the search, is kept
 * by it.
 */
function sameIn(before: ArchiveIndex | null, head: IssueHead): IssueHead {
  if (!before) return head;
  const old = before.heads[placeOf(before, head.id).position];
  return old && isSame(head, old) ? old : head;
}

function firstBelow(index: ArchiveIndex, id: number): number {
  const { position, isThere } = placeOf(index, id);
  return isThere ? position + 1 : position;
}

/**
 * The heads of a range that has `count` of them, from those known before. Where the numbers differ, each half is counted
 * until what has changed is in one page of rows: a removed issue among ten thousand takes four counts and one read.
 */
async function mend(
  reader: IssuesReader,
  range: IdRange,
  known: readonly IssueHead[],
  count: number,
): Promise<readonly IssueHead[]> {
  if (known.length === count) return known;
  const half = known.length >>> 1;
  const middle = known[half];
  if (!middle || known.length <= pageRows || count <= pageRows) {
    return await readRange(reader, range, count);
  }
  const older: IdRange = { above: range.above, below: middle.id };
  const newer: IdRange = { above: middle.id - 1, below: range.below };
  const olderCount = await reader.count(older);
  return [
    ...(await mend(reader, newer, known.slice(0, half + 1), count - olderCount)),
    ...(await mend(reader, older, known.slice(half + 1), olderCount)),
  ];
}

/** Heads of a range, newest first, a page of rows at a time; other requests are served between two pages. */
async function readRange(
  reader: IssuesReader,
  range: IdRange,
  count: number,
): Promise<IssueHead[]> {
  const found: IssueHead[] = [];
  while (found.length < count) {
    const below = found.at(-1)?.id ?? range.below;
    const rows = Math.min(pageRows, count - found.length);
    const { heads } = await reader.heads({ above: range.above, below }, rows);
    if (heads.length === 0) break;
    found.push(...heads);
  }
  return found;
}

function readAgain(access: IssuesAccess, known: Known): void {
  known.readAt = performance.now();
  const { index: before, version } = known;
  const count = Math.min(before?.total ?? 0, maxHeads);
  readRange(readerOfIssues(access), everyId, count).then((heads) => {
    // What was published or removed meanwhile is already in the other.
    if (!before || known.index !== before) return;
    known.index = { heads: heads.map((head) => sameIn(before, head)), total: before.total };
    known.readVersion = version;
  }, access.reportError);
}
