import type { BenchTable } from "../../measurement.ts";
import type { GuardedServer } from "./guarded-server.ts";
import { cachedPage } from "./hostile-kinds.ts";
import type { HostileKind } from "./hostile-request.ts";
import { costOf, type RequestCost } from "./request-cost.ts";

type KindCosts = { kind: string; costs: RequestCost[] };

const barCpuMs = 25;
const barBytes = 2_000_000;

export async function measureCosts(
  server: GuardedServer,
  kinds: HostileKind[],
  say: (line: string) => void,
): Promise<KindCosts[]> {
  const measured: KindCosts[] = [];
  const page = { name: "a cached page, for comparison", shapes: [cachedPage] };
  let n = 0;
  for (const { name, shapes } of [page, ...kinds]) {
    const costs: RequestCost[] = [];
    for (const shape of shapes) {
      n += 1_000;
      const deaths = server.deaths.length;
      try {
        costs.push(await costOf(server, shape, n));
      } catch (error) {
        if (server.deaths.length === deaths && !String(error).includes("ENOENT")) throw error;
        say(`killed by ${shape.name}`);
        costs.push({ ...fatal, shape: shape.name });
        await untilBack(server);
      }
    }
    measured.push({ kind: name, costs });
    const { shape, cpuMs } = dearest(costs, (cost) => cost.cpuMs);
    say(`${name}: ${cpuMs.toFixed(1)} ms for ${shape}`);
  }
  return measured;
}

const fatal = { status: "killed", cpuMs: Number.POSITIVE_INFINITY, answerBytes: 0, grownBytes: 0 };

export function costTable(measured: KindCosts[]): BenchTable {
  return {
    title: "What one request costs at most",
    note: `Of each kind the request that took the most processor time, and the one that took the most bytes (its answer and what the server's memory grew by meanwhile), each asked alone and again and again: processor time of all threads, the middle one of the memory's growths. The bars are ${barCpuMs} ms and 2 MB.`,
    columns: ["kind", "tried", "dearest in time", "CPU ms", "dearest in bytes", "bytes", "bars"],
    rows: measured.map(({ kind, costs }) => {
      const inTime = dearest(costs, (cost) => cost.cpuMs);
      const inBytes = dearest(costs, bytesOf);
      const isMet = inTime.cpuMs < barCpuMs && bytesOf(inBytes) < barBytes;
      return [
        kind,
        String(costs.length),
        `${inTime.shape} (${inTime.status})`,
        inTime.cpuMs.toFixed(inTime.cpuMs < 10 ? 2 : 1),
        `${inBytes.shape} (${inBytes.status})`,
        bytesOf(inBytes).toLocaleString("en-CA"),
        isMet ? "met" : "NOT met",
      ];
    }),
  };
}

function bytesOf({ answerBytes, grownBytes }: RequestCost): number {
  return answerBytes + grownBytes;
}

function dearest(costs: RequestCost[], by: (cost: RequestCost) => number): RequestCost {
  const [first] = costs.toSorted((a, b) => by(b) - by(a));
  if (!first) throw new Error("Nothing was measured.");
  return first;
}

/** Waits until a server that was started again answers. */
async function untilBack(server: GuardedServer): Promise<void> {
  const signal = AbortSignal.timeout(20_000);
  while (!signal.aborted) {
    const answer = await fetch(`${server.url}/healthz`).catch(() => null);
    if (answer?.ok) return;
  }
  throw new Error("The server did not come back.");
}
