/** What was sent and what came back, over all doors. */
export type Tally = {
  requests: number;
  /** Answers of 500 and above. */
  serverFailures: number;
  /** Answers by status. */
  statuses: Map<number, number>;
};

export function newTally(): Tally {
  return { requests: 0, serverFailures: 0, statuses: new Map() };
}

export function countAnswer(tally: Tally, status: number): void {
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
  if (status >= 500) tally.serverFailures += 1;
}
