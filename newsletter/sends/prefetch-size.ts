/** How long mails may be in hand before they go: whoever leaves in that time is mailed once more. */
const inHandMs = 250;

/** For each connection at least: one under way, one that waits for it. */
const leastAConnection = 2;

const mostAConnection = 20;

/**
 * How many mails are taken in hand ahead of their connections: as many as go out in a moment, so that one look at the
 * readers does for many where mail goes fast, and hardly any wait where it's slow.
 */
export function createPrefetchSize(connections: number) {
  let sent = 0;
  let since = performance.now();
  return {
    sent() {
      sent += 1;
    },
    read(): number {
      const now = performance.now();
      const perMs = sent / Math.max(now - since, inHandMs);
      if (now - since > inHandMs) {
        // What is known by now counts as one such moment, beside what comes.
        sent = perMs * inHandMs;
        since = now - inHandMs;
      }
      const aConnection = Math.ceil((perMs * inHandMs) / connections);
      return connections * Math.min(mostAConnection, Math.max(leastAConnection, aConnection));
    },
  };
}
