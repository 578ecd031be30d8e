import { setTimeout as delay } from "node:timers/promises";
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
  /** It lasts on until this is so. */
  isFelt?(scene: Scene): Promise<boolean>;
  /** What else happens while it lasts, once it is felt. */
  meanwhile?(scene: Scene): Promise<void>;
  afterwards?(scene: Scene): Promise<void>;
};

/** Acknowledgements that have to come before a fault and after it, so that it hits a stream. */
const streamCount = 12;
const feltTimeoutMs = 30_000;
const readTimeoutMs = 20_000;
const readEveryMs = 25;

/** Lets the fault come once under a stream of visitors, waits until all is delivered, and compares. */
export async function underFault(
  fault: Fault,
  options: Parameters<typeof withScene>[0] = {},
): Promise<FaultReport> {
  return await withScene({ visitors: 3, pauseMs: 30, ...options }, async (scene) => {
    await scene.answered(streamCount);
    await fault.begin(scene);
    const reader = startReading(scene);
    await delay(fault.lastsMs ?? 600);
    const deadline = performance.now() + feltTimeoutMs;
    while (fault.isFelt && !(await fault.isFelt(scene))) {
      if (performance.now() > deadline) throw new Error("The fault did not happen.");
      await delay(50);
    }
    await fault.meanwhile?.(scene);
    const read = await reader.stop();
    await fault.end(scene);
    await scene.answered(streamCount);
    await fault.afterwards?.(scene);
    const serversDied = scene.servers.filter((server) => server.hasDied()).length;
    const audited = await scene.settled();
    const log = scene.servers.flatMap((server) => server.log().map(({ msg }) => msg));
    return { ...audited, ...read, writes: scene.crowd.answers, serversDied, log };
  });
}

function startReading({ server }: Scene) {
  const reads = new Map<string, number>();
  let longestReadMs = 0;
  let isReading = true;
  const url = `${server.origin}/rest/v1/final_newsletters?select=id,title`;

  async function read(): Promise<string> {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(readTimeoutMs) });
      await response.arrayBuffer();
      return String(response.status);
    } catch {
      return "no answer";
    }
  }

  const reading = (async () => {
    while (isReading) {
      const askedAt = performance.now();
      const answer = await read();
      longestReadMs = Math.max(longestReadMs, performance.now() - askedAt);
      reads.set(answer, (reads.get(answer) ?? 0) + 1);
      await delay(readEveryMs);
    }
  })();
  return {
    async stop() {
      isReading = false;
      await reading;
      return { reads, longestReadMs };
    },
  };
}

/** How many writes the server has refused since the scene began. */
export function countRefusals({ crowd }: Scene): number {
  return crowd.answers.get("503 refused") ?? 0;
}

/** Whether a delivery has been tried in vain; `forGood`, one that isn't tried again unless the operator says so. */
export async function hasFailed(scene: Scene, forGood = false): Promise<boolean> {
  const row = await scene.inDatabase(({ db }) =>
    db
      .selectFrom("outbox")
      .select("delivery_id")
      .where("delivered_at", "is", null)
      .where(forGood ? "failed_at" : "last_error", "is not", null)
      .executeTakeFirst(),
  );
  return row !== undefined;
}
