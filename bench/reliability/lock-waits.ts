import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

const lookEveryMs = 10;

/** What PostgreSQL's connections did at each look, as shares of all that were at work. */
type Waits = {
  /** Waited for what another one had locked: a row, a mailbox, a table. */
  forLocks: number;
  /** Waited for the log to be on the disk, or for their turn to write it. */
  forDisk: number;
};

/** Looks at what the site's connections wait for, again and again, until it's stopped. */
export function watchWaits(url: string): { stop(): Promise<Waits> } {
  let isOpen = true;
  const seen = { active: 0, forLocks: 0, forDisk: 0 };
  async function watch() {
    const client = new pg.Client(url);
    await client.connect();
    while (isOpen) {
      const { rows } = await client.query(
        `select wait_event_type as type, wait_event as event from pg_stat_activity
          where application_name = 'chalkline' and state = 'active'`,
      );
      for (const { type, event } of rows) {
        seen.active += 1;
        if (type === "Lock") seen.forLocks += 1;
        if (/^Wal/i.test(String(event))) seen.forDisk += 1;
      }
      await delay(lookEveryMs);
    }
    await client.end();
  }
  const watching = watch();
  return {
    async stop() {
      isOpen = false;
      await watching;
      const share = (count: number) => (seen.active === 0 ? 0 : count / seen.active);
      return { forLocks: share(seen.forLocks), forDisk: share(seen.forDisk) };
    },
  };
}
