import { setTimeout as delay } from "node:timers/promises";

/** So often what could not be written is tried again within a lease. */
const writesALease = 20;

type Lease = {
  /** Since when it is leased, by `performance.now()`. */
  since: number;
  leaseMs: number;
  /** Whether whoever holds it goes on: nothing is tried again once it stops. */
  isOpen: () => boolean;
};

/**
 * Writes down what became of a mail for as long as it is ours, so that no short outage of the database has it sent again.
 */
export async function whileLeased<Result>(
  { since, leaseMs, isOpen }: Lease,
  write: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      const leftMs = since + leaseMs - performance.now();
      if (!isOpen() || leftMs <= 0) throw error;
      await delay(Math.min(leftMs, leaseMs / writesALease));
    }
  }
}
