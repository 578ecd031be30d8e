import type { ArchiveIndex } from "./archive-index.server.ts";

/** The issues of a year by their places in the archive's heads, newest first. */
export type IssueYear = {
  /** Four digits; null for issues without a date. */
  year: string | null;
  positions: readonly number[];
};

const yearsByArchive = new WeakMap<ArchiveIndex, readonly IssueYear[]>();

/** The years that have issues, newest first and those without a date last. Told apart once for each state of the archive. */
export function yearsOf(archive: ArchiveIndex): readonly IssueYear[] {
  const known = yearsByArchive.get(archive);
  if (known) return known;
  const positions = new Map<string, number[]>();
  for (const [position, { publish_date }] of archive.heads.entries()) {
    const [year = ""] = /^\d{4}(?=-)/.exec(publish_date ?? "") ?? [];
    const places = positions.get(year);
    if (places) places.push(position);
    else positions.set(year, [position]);
  }
  const years = [...positions]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([year, places]) => ({ year: year || null, positions: places }));
  yearsByArchive.set(archive, years);
  return years;
}
