import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Every measurement of a rate uses these, so that the figures can be compared. */
export const connections = 64;
const warmUpSeconds = 3;
const runSeconds = 10;
const rounds = 3;

export const loadNote = `\`wrk\`, ${connections} connections, one thread, ${runSeconds} s, median of ${rounds} rounds.`;

export type Load = {
  url: string;
  headers?: Record<string, string>;
  /** A Lua script of wrk's that makes the requests; without one, a GET of the address. */
  script?: string;
};

export type LoadResult = {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers other than 2xx and 3xx, and broken connections. */
  failed: number;
};

/** Sends each target its load in turn, so that whatever else the machine does disturbs all alike: one result a target. */
export async function measureLoads(targets: Load[]): Promise<LoadResult[]> {
  const results: LoadResult[][] = targets.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, target] of targets.entries()) {
      const result = await sendLoad(target, round === 0 ? warmUpSeconds : runSeconds);
      if (round > 0) results[index]?.push(result);
    }
  }
  return results.map((all) => {
    const failed = all.reduce((sum, result) => sum + result.failed, 0);
    const sorted = all.toSorted((a, b) => a.perSecond - b.perSecond);
    return { ...(sorted[Math.floor(rounds / 2)] as LoadResult), failed };
  });
}

async function sendLoad({ url, headers = {}, script }: Load, seconds: number): Promise<LoadResult> {
  const { stdout } = await promisify(execFile)("wrk", [
    ...["--threads", "1", "--connections", String(connections), "--duration", `${seconds}s`],
    ...["--latency", "--timeout", "10s"],
    ...Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`]),
    ...(script ? ["--script", script] : []),
    url,
  ]);
  const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0);
  const broken = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(
    stdout,
  );
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p50Ms: percentile(stdout, 50),
    p99Ms: percentile(stdout, 99),
    failed: (broken?.slice(1) ?? []).reduce((sum, count) => sum + Number(count), refused),
  };
}

/** `99%   1.25ms`, in milliseconds. */
function percentile(output: string, percent: number): number {
  const [, value, unit] = new RegExp(`\\b${percent}%\\s+([\\d.]+)(us|ms|s)`).exec(output) ?? [];
  const factors: Record<string, number> = { us: 0.001, ms: 1, s: 1000 };
  return Number(value) * (factors[unit ?? ""] ?? Number.NaN);
}
