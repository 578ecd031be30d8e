/** Words that a misspelt one may stand for. */
const maxClosest = 5;

/** Of `candidates` those that become `word` with at most `maxChanges` letters changed, the fewest first. */
export function closestOf(
  word: string,
  candidates: readonly string[],
  maxChanges: number,
): string[] {
  return candidates
    .map((candidate) => ({ candidate, changes: changesBetween(word, candidate, maxChanges) }))
    .filter(({ changes }) => changes > 0 && changes <= maxChanges)
    .sort((a, b) => a.changes - b.changes)
    .slice(0, maxClosest)
    .map(({ candidate }) => candidate);
}

/**
 * Letters to put in, take out or replace, two neighbours that changed places counting as one (optimal string alignment);
 * anything above `max` where it is more than that. Only places that `max` changes can reach are looked at (Ukkonen's
 * band), and none after a row that is all above it.
 */
function changesBetween(a: string, b: string, max: number): number {
  const tooMany = max + 1;
  if (Math.abs(a.length - b.length) > max) return tooMany;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row: number[] = [];
    row[0] = i;
    let least = i;
    for (let j = Math.max(1, i - max); j <= Math.min(b.length, i + max); j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let changes = Math.min(
        (row[j - 1] ?? tooMany) + 1,
        (last[j] ?? tooMany) + 1,
        (last[j - 1] ?? tooMany) + (isSame ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        changes = Math.min(changes, (beforeLast[j - 2] ?? tooMany) + 1);
      }
      row[j] = changes;
      least = Math.min(least, changes);
    }
    // Neighbours that change places cost one more than the row before last, so the last one knows of them too.
    if (least > max) return tooMany;
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? tooMany;
}
