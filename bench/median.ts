/** The middle value, the upper one of two: one run that the machine disturbed decides nothing. NaN of none. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
