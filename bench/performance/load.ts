import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Load of the figures that the project compares itself by. */
const connections = 64;

type Load = {
  url: string;
  seconds: number;
  headers?: Record<string, string>;
  /** A Lua script of wrk's that makes the requests; without one, a GET of the address. */
  script?: string;
};

export type LoadResult = {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  requests: number;
  /** Answers other than 2xx and 3xx, and broken or timed-out connections. */
  failed: number;
};

/** Sends requests over 64 connections from one thread (`wrk`), each connection its next one when it is answered. */
export async function sendLoad({ url, seconds, headers = {}, script }: Load): Promise<LoadResult> {
  const { stdout } = await run("wrk", [
    ...["--threads", "1", "--connections", String(connections), "--duration", `${seconds}s`],
    ...["--latency", "--timeout", "10s"],
    ...Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`]),
    ...(script ? ["--script", script] : []),
    url,
  ]);
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0);
  const broken = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(
    stdout,
  );
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  if (!Number.isFinite(perSecond)) throw new Error(`wrk said something else:\n${stdout}`);
  return {
    perSecond,
    p50Ms: percentile(stdout, 50),
    p99Ms: percentile(stdout, 99),
    requests,
    failed: (broken?.slice(1) ?? []).reduce((sum, count) => sum + Number(count), refused),
  };
}

/** `99%   1.25ms`, in milliseconds. */
function percentile(output: string, percent: number): number {
  const [, value, unit] = new RegExp(`\\b${percent}%\\s+([\\d.]+)(us|ms|s)`).exec(output) ?? [];
  const factors: Record<string, number> = { us: 0.001, ms: 1, s: 1000 };
  return Number(value) * (factors[unit ?? ""] ?? Number.NaN);
}

/** The middle one of several runs, by rate: one that the machine disturbed decides nothing. */
export function medianByRate(results: LoadResult[]): LoadResult {
  const sorted = results.toSorted((a, b) => a.perSecond - b.perSecond);
  return sorted[Math.floor(sorted.length / 2)] as LoadResult;
}
