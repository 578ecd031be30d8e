/** After the first mail that is put off; doubles with each that follows while no other is taken. Milliseconds. */
export type RestLimits = { restMs: number; restCapMs: number };

/** Domains remembered at once; the oldest are forgotten first. */
const domainsMax = 10_000;

/**
 * Which domains are left alone for a while, because they put our mail off: asking them again for every reader of theirs
 * costs a good name. Kept by each process for itself; forgetting it costs one mail a domain.
 */
export function createDomainRests({ restMs, restCapMs }: RestLimits) {
  const rests = new Map<string, { times: number; until: number }>();
  return {
    putOff(domain: string, now: Date) {
      const before = rests.get(domain);
      // Others were under way when the first was put off; they say nothing new.
      if (before && now.getTime() < before.until) return;
      const times = (before?.times ?? 0) + 1;
      const until = now.getTime() + Math.min(restCapMs, restMs * 2 ** (times - 1));
      rests.delete(domain);
      rests.set(domain, { times, until });
      const [oldest] = rests.keys();
      if (rests.size > domainsMax && oldest !== undefined) rests.delete(oldest);
    },
    accepted(domain: string) {
      rests.delete(domain);
    },
    until(domain: string, now: Date): string | null {
      const rest = rests.get(domain);
      return rest && now.getTime() < rest.until ? new Date(rest.until).toISOString() : null;
    },
  };
}
