import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { Audit } from "./audit.ts";
import { type Scene, withScene } from "./scene.ts";

/** What a fault did to those who wrote and read while it lasted. */
export type FaultReport = Pick<Audit, "lost" | "notStored" | "storedTwice" | "underTwoIds"> & {
  acknowledged: number;
  /** How often each answer came to those who write: `200 success`, `503 refused`, `no answer`. */
  writes: Map<string, number>;
  /** How often each status came to somebody who read issues meanwhile, and the longest wait in milliseconds. */
  reads: Map<string, number>;
  longestReadMs: number;
  /** Servers that ended by themselves. */
  serversDied: number;
  /** What the log said at `warn` and above. */
  log: string[];
};

export type Fault = {
  begin(scene: Scene): unknown;
  end(scene: Scene): unknown;
  /** How long it lasts at least, in milliseconds. */
  lastsMs?: number;
  /** It lasts on until this is so; `before`: deliveries tried in vain until it began. */
  isFelt?(scene: Scene, before: number): Promise<boolean>;
  /** What else happens while it lasts, once it is felt. */
  meanwhile?(scene: Scene): Promise<void>;
  afterwards?(scene: Scene): Promise<void>;
};

/** Acknowledgements that have to come before a fault and after it, so that it hits a stream. */
const streamCount = 8;
const feltTimeoutMs = 30_000;
const readTimeoutMs = 20_000;
const readEveryMs = 25;

/** Lets the faults come one after the other under a stream of visitors, waits until all is delivered, and compares. */
export async function underFaults(
  faults: readonly Fault[],
  options: Parameters<typeof withScene>[0] = {},
): Promise<FaultReport> {
  return await withScene({ visitors: 3, pauseMs: 30, ...options }, async (scene) => {
    const reader = createReader(scene);
    for (const fault of faults) {
      await scene.answered(streamCount);
      const before = await countFailures(scene);
      await fault.begin(scene);
      reader.start();
      await delay(fault.lastsMs ?? 600);
      const isFelt = async () => (await fault.isFelt?.(scene, before)) ?? true;
      const deadline = performance.now() + feltTimeoutMs;
      while (!(await isFelt())) {
        if (performance.now() > deadline) throw new Error("The fault did not happen.");
        await delay(50);
      }
      await fault.meanwhile?.(scene);
      await reader.stop();
      await fault.end(scene);
      await scene.answered(streamCount);
      await fault.afterwards?.(scene);
    }
    const serversDied = scene.servers.filter((server) => server.hasDied()).length;
    const audited = await scene.settled();
    const log = scene.servers.flatMap((server) => server.log().map(({ msg }) => msg));
    return { ...audited, ...reader.found, writes: scene.crowd.answers, serversDied, log };
  });
}

/** Somebody who reads issues from `start` to `stop`. */
function createReader({ server }: Scene) {
  const found = { reads: new Map<string, number>(), longestReadMs: 0 };
  let isReading = false;
  let reading = Promise.resolve();

  async function read(): Promise<string> {
    const url = `${server.origin}/rest/v1/final_newsletters?select=id,title`;
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(readTimeoutMs) });
      await response.arrayBuffer();
      return String(response.status);
    } catch {
      return "no answer";
    }
  }

  async function readOn() {
    while (isReading) {
      const askedAt = performance.now();
      const answer = await read();
      found.longestReadMs = Math.max(found.longestReadMs, performance.now() - askedAt);
      found.reads.set(answer, (found.reads.get(answer) ?? 0) + 1);
      await delay(readEveryMs);
    }
  }

  return {
    found,
    start() {
      isReading = true;
      reading = readOn();
    },
    async stop() {
      isReading = false;
      await reading;
    },
  };
}

/** How many writes the server has refused since the scene began. */
export function countRefusals({ crowd }: Scene): number {
  return crowd.answers.get("503 refused") ?? 0;
}

/** How many attempts at deliveries have failed: neither one that has delivered nor one that is under way has. */
async function countFailures(scene: Scene): Promise<number> {
  const { rows } = await scene.inDatabase(({ db }) =>
    sql<{ failures: number | string | null }>`
      select sum(attempts) - count(delivered_at) - count(claimed_until) as failures from outbox
    `.execute(db),
  );
  return Number(rows[0]?.failures ?? 0);
}

/** Whether a delivery has been tried in vain since. */
export async function hasFailed(scene: Scene, before: number): Promise<boolean> {
  return (await countFailures(scene)) > before;
}

/** Whether a delivery has failed that isn't tried again unless the operator says so. */
export async function hasFailedForGood(scene: Scene): Promise<boolean> {
  const row = await scene.inDatabase(({ db }) =>
    db.selectFrom("outbox").select("id").where("failed_at", "is not", null).executeTakeFirst(),
  );
  return row !== undefined;
}
