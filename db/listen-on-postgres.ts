import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

const connectionTimeoutMs = 3_000;
/** After a loss, and twice as long after each further one in a row; half of it is left to chance. */
const firstRetryMs = 250;
const longestRetryMs = 30_000;

type ListenOptions = {
  databaseUrl: string;
  channel: string;
  /** Called for every notice, and whenever listening begins again, since what was told meanwhile is lost. */
  onNotice: () => void;
  onConnectionLost: (error: Error) => void;
};

/**
 * Hears what is told on a channel (`NOTIFY`), over one connection of its own for as long as it isn't stopped. Behind a
 * pooler that shares connections out by transaction nothing is heard: a clock has to stand behind whatever depends on it.
 */
export function listenOnPostgres({
  databaseUrl,
  channel,
  onNotice,
  onConnectionLost,
}: ListenOptions): () => Promise<void> {
  const stopping = new AbortController();
  const stopped = Promise.withResolvers<void>();
  stopping.signal.addEventListener("abort", () => stopped.resolve());

  async function listenUntilLost(onListening: () => void) {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: "chalkline listening",
      connectionTimeoutMillis: connectionTimeoutMs,
      keepAlive: true,
    });
    const lost = Promise.withResolvers<void>();
    client.on("error", (error) => lost.reject(error));
    client.on("end", () => lost.reject(new Error("The connection that listens has ended")));
    client.on("notification", onNotice);
    lost.promise.catch(() => {});
    try {
      await Promise.race([client.connect(), stopped.promise]);
      if (stopping.signal.aborted) return;
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      onListening();
      onNotice();
      await Promise.race([lost.promise, stopped.promise]);
    } finally {
      await client.end().catch(() => {});
    }
  }

  async function listen() {
    let retryMs = firstRetryMs;
    while (!stopping.signal.aborted) {
      try {
        await listenUntilLost(() => {
          retryMs = firstRetryMs;
        });
      } catch (error) {
        if (stopping.signal.aborted) return;
        onConnectionLost(error as Error);
        const waitMs = retryMs * (0.5 + Math.random() / 2);
        await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
        retryMs = Math.min(longestRetryMs, retryMs * 2);
      }
    }
  }

  const ended = listen();
  return async () => {
    stopping.abort();
    await ended;
  };
}
