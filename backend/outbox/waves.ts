import type { ClaimedRow } from "./claim.ts";
import type { OutboxLimits } from "./outbox-limits.ts";

/** A wave that is begun within this time may be followed by one of twice its size. */
const quickMs = 250;
/** One that takes longer is followed by one of half its size: what is claimed is not to wait while others could take it. */
const slowMs = 1_000;

type Wave = { rows: ClaimedRow[]; claimedAt: number; isFull: boolean };

/**
 * What is claimed and not begun yet. The first wave is as large as what is carried out side by side; how long each takes
 * to be begun decides the size of the next. So a receiver that stands still is never given more than it has room for,
 * and one that is quick never waits for the database.
 */
export function createWaves({
  concurrencyPerKind,
  stormConcurrencyPerKind,
  waveMaxPerKind,
  leaseMs,
  deliveryTimeoutMs,
}: OutboxLimits) {
  let size = concurrencyPerKind;
  let current: Wave | null = null;

  const waiting = () => current?.rows.length ?? 0;

  function learn({ claimedAt, isFull }: Wave) {
    const tookMs = performance.now() - claimedAt;
    if (tookMs > slowMs) size = Math.max(concurrencyPerKind, Math.floor(size / 2));
    else if (tookMs <= quickMs && isFull) {
      size = Math.min(Math.max(concurrencyPerKind, waveMaxPerKind), size * 2);
    }
  }

  function takeAll(): ClaimedRow[] {
    const rows = current?.rows ?? [];
    current = null;
    return rows;
  }

  return {
    /**
     * How many more are to be claimed: none while some of a wave wait, and in a storm of submissions a few at a time,
     * since whoever submits something waits for an answer and nobody for the mail.
     */
    room(delivering: number, { inStorm = false } = {}): number {
      if (waiting() > 0) return 0;
      return (inStorm ? Math.min(stormConcurrencyPerKind, size) : size) - delivering;
    },
    add(wave: Wave) {
      current = { ...wave, rows: wave.rows.toReversed() };
    },
    take(): { row: ClaimedRow; claimedAt: number } | null {
      if (!current || performance.now() > lastBeginOf(current)) return null;
      const row = current.rows.pop();
      if (!row) return null;
      const { claimedAt } = current;
      if (current.rows.length === 0) {
        learn(current);
        current = null;
      }
      return { row, claimedAt };
    },
    /** Those for which too little of the lease is left for an attempt. */
    takeLate(): ClaimedRow[] {
      return current && performance.now() > lastBeginOf(current) ? takeAll() : [];
    },
    takeAll,
    /** After a failure: no more than can be under way, until things go well again. */
    shrink() {
      size = concurrencyPerKind;
    },
  };

  function lastBeginOf({ claimedAt }: Wave): number {
    return claimedAt + leaseMs - deliveryTimeoutMs;
  }
}
