import { setTimeout as delay } from "node:timers/promises";
import { inDatabase } from "../issue-table.ts";
import { patienceMs } from "../patience.ts";
import type { Audit } from "./audit.ts";
import { type Scene, withScene } from "./scene.ts";

export type FaultReport = Audit & {
  /** How often each answer came to those who write: `200 success`, `503 refused`, `no answer`. */
  writes: Map<string, number>;
  serversDied: number;
  /** Lines at `warn` and above. */
  log: string[];
};

export type Fault = {
  begin(scene: Scene): unknown;
  end(scene: Scene): unknown;
  /** How long it lasts at least, in milliseconds. */
  lastsMs?: number;
  /** It lasts on until this is so; `before`: deliveries tried in vain until it began. */
  isFelt?(scene: Scene, before: number): boolean | Promise<boolean>;
  /** Runs while the fault lasts, once it is felt. */
  meanwhile?(scene: Scene): Promise<void>;
  afterwards?(scene: Scene): Promise<void>;
};

/** Acknowledgements that have to come before a fault and after it, so that it hits a stream. */
const streamCount = 8;

/** Lets the faults come one after the other under a stream of visitors, waits until all is delivered, and compares. */
export async function underFaults(
  faults: readonly Fault[],
  options: Parameters<typeof withScene>[0] = {},
): Promise<FaultReport> {
  return await withScene({ visitors: 2, pauseMs: 60, ...options }, async (scene) => {
    for (const fault of faults) {
      await scene.answered(streamCount);
      const before = failedAttempts(scene);
      await fault.begin(scene);
      await delay(fault.lastsMs ?? 600);
      const deadline = performance.now() + patienceMs;
      while (fault.isFelt && !(await fault.isFelt(scene, before))) {
        if (performance.now() > deadline) throw new Error("The fault did not happen.");
        await delay(50);
      }
      await fault.meanwhile?.(scene);
      await fault.end(scene);
      await scene.answered(streamCount);
      await fault.afterwards?.(scene);
    }
    const serversDied = scene.servers.filter((server) => server.hasDied()).length;
    const audited = await scene.settled();
    return { ...audited, writes: scene.crowd.answers, serversDied, log: logged(scene) };
  });
}

function logged({ servers }: Scene): string[] {
  return servers.flatMap((server) => server.log().map(({ msg }) => msg));
}

function failedAttempts(scene: Scene): number {
  return logged(scene).filter((msg) => msg === "Delivery attempt failed").length;
}

export function hasFailed(scene: Scene, before: number): boolean {
  return failedAttempts(scene) > before;
}

/** Whether a delivery has failed that isn't tried again unless the operator says so. */
export async function hasFailedForGood(scene: Scene): Promise<boolean> {
  const row = await inDatabase(scene, (db) =>
    db.selectFrom("outbox").select("id").where("failed_at", "is not", null).executeTakeFirst(),
  );
  return row !== undefined;
}
