import type { SendLimits } from "#newsletter/sends/send-worker.ts";

/** Seconds in place of hours, so that a test sees what comes of a refusal or a death. */
export const quickSendLimits: Partial<SendLimits> = {
  mailsPerSecond: 100_000,
  connections: 5,
  pollMs: 25,
  outageBackoffMaxMs: 200,
  deliveryTimeoutMs: 20_000,
  leaseMs: 30_000,
  turnMs: 500,
  backoff: { baseMs: 40, capMs: 200, maxAttempts: 16 },
};
