import { allIssues } from "#content/pages/all-issues.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { optionLabel } from "../issue/issue-label.ts";
import { formatPublishDate } from "../issue/publish-date.server.ts";
import type { ChoiceGroup } from "./archive.ts";
import { type ArchiveIndex, numberAt } from "./archive-index.server.ts";
import { yearsOf } from "./issue-years.server.ts";

/** Of the older issues so many of the newest are offered one by one: half a year's, or, beside one further back, a month's. */
const newestOptions = 26;
const newestBesideOlder = 4;

/** So many are around an older one that is shown, the fewer of them newer: from a year's last issue one goes back. */
const newerAround = 4;
const olderAround = 22;

/** Years that are offered one by one; where there are more, decades are. */
const maxYears = 20;

/**
 * What the dropdown offers beside 'Latest Issue': `Issue #n - date` for every older issue. Where they would be thousands
 * of lines in every page, the newest of them stand there, those around the one that is shown, and under a heading of
 * their own the years before, each of which opens its newest issue with those around it. Any issue is two or three
 * choices away, without scripts too.
 */
export function issueChoice(archive: ArchiveIndex, shownPosition: number): ChoiceGroup[] {
  const { heads } = archive;
  if (heads.length <= 1) return [];
  if (heads.length - 1 <= newestOptions) return [group(archive, 1, heads.length, null)];
  const isOlder = shownPosition > newestOptions;
  const firstHidden = 1 + (isOlder ? newestBesideOlder : newestOptions);
  const groups = [group(archive, 1, firstHidden, null)];
  if (isOlder) {
    const from = Math.max(firstHidden, shownPosition - newerAround);
    const to = Math.min(heads.length, shownPosition + 1 + olderAround);
    const number = numberAt(archive, shownPosition);
    const label = `${newsletter.archive.around} #${number}`;
    groups.push(group(archive, from, to, label));
  }
  return [...groups, earlierYears(archive, firstHidden)];
}

function group(archive: ArchiveIndex, from: number, to: number, label: string | null): ChoiceGroup {
  const options = archive.heads.slice(from, to).map((head, index) => {
    const number = numberAt(archive, from + index);
    return {
      id: head.id,
      label: optionLabel({ number, date: formatPublishDate(head.publish_date) }),
    };
  });
  return { label, options };
}

function earlierYears(archive: ArchiveIndex, firstHidden: number): ChoiceGroup {
  const all = yearsOf(archive).map(({ year, positions }) => ({
    year,
    position: positions.find((position) => position >= firstHidden),
  }));
  const areDecades = all.length > maxYears;
  const options = new Map<string, number>();
  for (const { year, position } of all) {
    const head = position === undefined ? undefined : archive.heads[position];
    const label = areDecades ? decadeOf(year) : (year ?? allIssues.undated);
    if (head && !options.has(label)) options.set(label, head.id);
  }
  return {
    label: newsletter.archive.earlier,
    options: [...options].map(([label, id]) => ({ id, label })),
  };
}

function decadeOf(year: string | null): string {
  return year === null ? allIssues.undated : `${year.slice(0, 3)}0s`;
}
