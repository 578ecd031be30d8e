import type { SendSpeed } from "./send-speed.ts";

export type Allowance = ReturnType<typeof createAllowance>;

/** How many mails may be handed over now: a second's at most at once. */
export function createAllowance(speed: SendSpeed) {
  let paidUntil = 0;
  return {
    async read(_trx: unknown, now: Date): Promise<{ allowed: number; nextAt?: Date }> {
      const { atOnce, everyMs } = speed.pace();
      const nowMs = now.getTime();
      paidUntil = Math.min(Math.max(paidUntil, nowMs), nowMs + atOnce * everyMs);
      const allowed = Math.floor((nowMs + atOnce * everyMs - paidUntil) / everyMs + 1e-6);
      return allowed > 0 ? { allowed } : { allowed, nextAt: new Date(nowMs + Math.ceil(everyMs)) };
    },
    spend(mails: number) {
      paidUntil += mails * speed.pace().everyMs;
    },
  };
}
