/** After the first mail that is put off; doubles with each that follows while no other is taken. Milliseconds. */
export type DomainBackoffLimits = { baseMs: number; capMs: number };

/** Domains remembered at once; the oldest are forgotten first. */
const domainsMax = 10_000;

/**
 * Which domains are left alone for a while, because they put our mail off: asking them again for every reader of theirs
 * costs a good name. Kept by each process for itself; forgetting it costs one mail a domain.
 */
export function createDomainBackoff({ baseMs, capMs }: DomainBackoffLimits) {
  const domains = new Map<string, { times: number; until: number }>();
  return {
    putOff(domain: string, now: Date) {
      const before = domains.get(domain);
      // Others were under way when the first was put off; they say nothing new.
      if (before && now.getTime() < before.until) return;
      const times = (before?.times ?? 0) + 1;
      const until = now.getTime() + Math.min(capMs, baseMs * 2 ** (times - 1));
      domains.delete(domain);
      domains.set(domain, { times, until });
      const [oldest] = domains.keys();
      if (domains.size > domainsMax && oldest !== undefined) domains.delete(oldest);
    },
    accepted(domain: string) {
      domains.delete(domain);
    },
    until(domain: string, now: Date): string | null {
      const backoff = domains.get(domain);
      return backoff && now.getTime() < backoff.until
        ? new Date(backoff.until).toISOString()
        : null;
    },
  };
}
