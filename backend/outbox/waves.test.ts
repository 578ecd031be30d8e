import { expect, test } from "vitest";
import type { ClaimedRow } from "./claim.ts";
import { defaultOutboxLimits } from "./outbox-limits.ts";
import { createWaves } from "./waves.ts";

const limits = { ...defaultOutboxLimits, concurrencyPerKind: 4, waveMaxPerKind: 20 };

/** Claims what there is room for at some time before now, and begins all of it. */
function carryOut(waves: ReturnType<typeof createWaves>, { agoMs = 0, inStorm = false } = {}) {
  const limit = waves.room(0, { inStorm });
  const rows = Array.from({ length: limit }, (_, id) => ({ id }) as ClaimedRow);
  waves.add({ rows, claimedAt: performance.now() - agoMs, isFull: true });
  const begun: number[] = [];
  for (let next = waves.take(); next; next = waves.take()) begun.push(next.row.id);
  expect(begun).toEqual(rows.map(({ id }) => id));
  return limit;
}

test("waves grow while each is soon begun, up to their most, and shrink when one takes long", () => {
  const waves = createWaves(limits);
  expect([1, 2, 3, 4, 5].map(() => carryOut(waves))).toEqual([4, 8, 16, 20, 20]);
  expect(carryOut(waves, { agoMs: 2_000 })).toBe(20);
  expect(carryOut(waves)).toBe(10);
  waves.shrink();
  expect(carryOut(waves)).toBe(4);
});

test("in a storm of submissions a few are claimed at a time, whatever goes out otherwise", () => {
  const waves = createWaves(limits);
  for (let n = 0; n < 5; n += 1) carryOut(waves);
  expect(waves.room(0, { inStorm: true })).toBe(2);
  expect(waves.room(1, { inStorm: true })).toBe(1);
  expect(waves.room(0)).toBe(20);
});

test("nothing is begun for which too little of the lease is left", () => {
  const waves = createWaves(limits);
  const row = { id: 1 } as ClaimedRow;
  const tooLongAgo = limits.leaseMs - limits.deliveryTimeoutMs + 1_000;
  waves.add({ rows: [row], claimedAt: performance.now() - tooLongAgo, isFull: false });
  expect(waves.take()).toBeNull();
  expect(waves.takeLate()).toEqual([row]);
  expect(waves.takeLate()).toEqual([]);
});
