import { expect, test } from "vitest";
import type { ClaimedRow } from "./claim.ts";
import { createClaimedBatches } from "./claimed-batches.ts";
import { defaultOutboxLimits } from "./outbox-limits.ts";

const limits = { ...defaultOutboxLimits, concurrencyPerKind: 4, batchMaxPerKind: 20 };

/** Claims what there is room for at some time before now, and begins all of it. */
function carryOut(
  batches: ReturnType<typeof createClaimedBatches>,
  { agoMs = 0, inStorm = false } = {},
) {
  const limit = batches.room(0, { inStorm });
  const rows = Array.from({ length: limit }, (_, id) => ({ id }) as ClaimedRow);
  batches.add({ rows, claimedAt: performance.now() - agoMs, isFull: true });
  const begun: number[] = [];
  for (let next = batches.take(); next; next = batches.take()) begun.push(next.row.id);
  expect(begun).toEqual(rows.map(({ id }) => id));
  return limit;
}

test("batches grow while each is soon begun, up to their most, and shrink when one takes long", () => {
  const batches = createClaimedBatches(limits);
  expect([1, 2, 3, 4, 5].map(() => carryOut(batches))).toEqual([4, 8, 16, 20, 20]);
  expect(carryOut(batches, { agoMs: 2_000 })).toBe(20);
  expect(carryOut(batches)).toBe(10);
  batches.shrink();
  expect(carryOut(batches)).toBe(4);
});

test("in a storm of submissions a few are claimed at a time, whatever goes out otherwise", () => {
  const batches = createClaimedBatches(limits);
  for (let n = 0; n < 5; n += 1) carryOut(batches);
  expect(batches.room(0, { inStorm: true })).toBe(2);
  expect(batches.room(1, { inStorm: true })).toBe(1);
  expect(batches.room(0)).toBe(20);
});

test("nothing is begun for which too little of the lease is left", () => {
  const batches = createClaimedBatches(limits);
  const row = { id: 1 } as ClaimedRow;
  const tooLongAgo = limits.leaseMs - limits.deliveryTimeoutMs + 1_000;
  batches.add({ rows: [row], claimedAt: performance.now() - tooLongAgo, isFull: false });
  expect(batches.take()).toBeNull();
  expect(batches.takeLate()).toEqual([row]);
  expect(batches.takeLate()).toEqual([]);
});
