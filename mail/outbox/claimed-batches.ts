import type { ClaimedRow } from "./claim.ts";
import type { OutboxLimits } from "./outbox-limits.ts";

/** A batch that is begun within this time may be followed by one of twice its size. */
const quickMs = 250;
/** One that takes longer is followed by one of half its size: what is claimed is not to wait while others could take it. */
const slowMs = 1_000;

/** While more of a batch than this part of the next one's size waits, no next one is claimed. */
const aheadPart = 0.25;

type Batch = { rows: ClaimedRow[]; claimedAt: number; isFull: boolean };

/**
 * What is claimed and not begun yet. The first batch is as large as what is carried out side by side; how long each takes
 * to be begun decides the size of the next. So a receiver that stands still is never given more than it has room for,
 * and one that is quick never waits for the database: the next batch is claimed while the last of one are begun.
 */
export function createClaimedBatches({
  concurrencyPerKind,
  stormConcurrencyPerKind,
  batchMaxPerKind,
  leaseMs,
  deliveryTimeoutMs,
}: OutboxLimits) {
  let size = concurrencyPerKind;
  /** The oldest first; their rows from the last to the first. */
  const batches: Batch[] = [];

  const waiting = () => batches.reduce((count, { rows }) => count + rows.length, 0);

  function learn({ claimedAt, isFull }: Batch) {
    const tookMs = performance.now() - claimedAt;
    if (tookMs > slowMs) size = Math.max(concurrencyPerKind, Math.floor(size / 2));
    else if (tookMs <= quickMs && isFull) {
      size = Math.min(Math.max(concurrencyPerKind, batchMaxPerKind), size * 2);
    }
  }

  return {
    /**
     * How many more are to be claimed, so that no more than a batch's size is in hand: none while enough wait, and in a
     * storm of submissions a few at a time, since whoever submits something waits for an answer and nobody for the mail.
     */
    room(delivering: number, { inStorm = false } = {}): number {
      const ahead = waiting();
      const most = inStorm ? Math.min(stormConcurrencyPerKind, size) : size;
      if (ahead > (inStorm ? 0 : aheadPart * size)) return 0;
      return most - delivering - ahead;
    },
    add({ rows, claimedAt, isFull }: Batch) {
      if (rows.length > 0) batches.push({ rows: rows.toReversed(), claimedAt, isFull });
    },
    take(): { row: ClaimedRow; claimedAt: number } | null {
      const [oldest] = batches;
      if (!oldest || performance.now() > lastBeginOf(oldest)) return null;
      const row = oldest.rows.pop();
      if (!row) return null;
      if (oldest.rows.length === 0) {
        learn(oldest);
        batches.shift();
      }
      return { row, claimedAt: oldest.claimedAt };
    },
    /** Those for which too little of the lease is left for an attempt. */
    takeLate(): ClaimedRow[] {
      const late: ClaimedRow[] = [];
      while (batches[0] && performance.now() > lastBeginOf(batches[0])) {
        late.push(...(batches.shift()?.rows ?? []));
      }
      return late;
    },
    takeAll(): ClaimedRow[] {
      return batches.splice(0).flatMap(({ rows }) => rows);
    },
    /** After a failure: no more than can be under way, until things go well again. */
    shrink() {
      size = concurrencyPerKind;
    },
  };

  function lastBeginOf({ claimedAt }: Batch): number {
    return claimedAt + leaseMs - deliveryTimeoutMs;
  }
}
