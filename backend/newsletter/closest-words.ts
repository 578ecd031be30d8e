/** Words that a misspelt one may stand for. */
const maxClosest = 5;

/** Of `candidates` those that become `word` with at most `maxChanges` letters changed, the fewest first. */
export function closestOf(
  word: string,
  candidates: readonly string[],
  maxChanges: number,
): string[] {
  return candidates
    .map((candidate) => ({ candidate, changes: changesBetween(word, candidate) }))
    .filter(({ changes }) => changes > 0 && changes <= maxChanges)
    .sort((a, b) => a.changes - b.changes)
    .slice(0, maxClosest)
    .map(({ candidate }) => candidate);
}

/** Letters to put in, take out or replace, two neighbours that changed places counting as one (optimal string alignment). */
function changesBetween(a: string, b: string): number {
  let [beforeLast, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min(
        (row[j - 1] ?? 0) + 1,
        (last[j] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(least);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
