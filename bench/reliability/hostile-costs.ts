import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { runBeside } from "../cores.ts";
import { seedDatabase } from "../growth/seed.ts";
import type { BenchContext, BenchTable, Measurement } from "../measurement.ts";
import type { VisitOrder, VisitReport } from "../visitors/visitor.ts";
import { expensiveRestQueries } from "./expensive-rest-queries.ts";
import { attackTable, type Ordeal } from "./hostile/attack-table.ts";
import type { AttackOrder } from "./hostile/attacker.ts";
import { checkSpellings } from "./hostile/check-spellings.ts";
import { costTable, measureCosts } from "./hostile/cost-table.ts";
import type { FloodTally } from "./hostile/flood.ts";
import { type GuardedServer, startGuardedServer } from "./hostile/guarded-server.ts";
import { hostileKinds, slowConnections } from "./hostile/hostile-kinds.ts";
import type { HostileRequest } from "./hostile/hostile-request.ts";
import { knownRestQueries } from "./hostile/known-rest-queries.ts";
import { searchRestQueries } from "./hostile/search-rest-queries.ts";
import { spellingsTable } from "./hostile/spellings-table.ts";

/** Two years of a weekly newsletter. */
const issues = 100;

const seconds = Number(process.env.HOSTILE_SECONDS ?? 60);
const restTable = "/rest/v1/final_newsletters";
const searchSeconds = Math.min(seconds, 45);
const searchSeed = Number(process.env.HOSTILE_SEED ?? 1);
const onlyKinds = process.env.HOSTILE_KINDS?.split(",");
const attackerProgram = path.join(import.meta.dirname, "hostile", "attacker.ts");
const visitorProgram = path.join(import.meta.dirname, "..", "visitors", "visitor.ts");
const origins = ["one address", "many addresses"] as const;
/** Visitors begin before the attack does and go on for as long. */
const headStartMs = 500;

/**
 * What strangers can do to a copy with 512 MB and one core, and what it is like for a visitor beside them. HOSTILE_SECONDS
 * shortens each attack for a trial; HOSTILE_KINDS names the attacks, with commas between.
 */
export const hostileCosts: Measurement = {
  name: "hostile-costs",
  async run(context) {
    const template = await mkdtemp(path.join(tmpdir(), "chalkline-hostile-"));
    try {
      context.say(`Writing an archive of ${issues} issues`);
      await seedDatabase({ dataDir: template, databaseUrl: null }, { issues, prepared: true });
      return await measureAll(template, context);
    } finally {
      await rm(template, { recursive: true, force: true });
    }
  },
};

async function measureAll(template: string, { say }: BenchContext): Promise<BenchTable[]> {
  const found = await withServer(template, (server) => {
    say(`Searching for dear REST queries: ${searchSeconds} s, seed ${searchSeed} (HOSTILE_SEED)`);
    return searchRestQueries(() => server, { seconds: searchSeconds, count: 20, seed: searchSeed });
  });
  const reckoned = expensiveRestQueries().accepted.map((query) => ({
    target: `${restTable}?${query}`,
  }));
  const restQueries = [...found, ...reckoned, ...knownRestQueries];
  const calm = await withServer(template, async (server) => {
    say("Every route in twenty spellings");
    const spellings = await checkSpellings(server.url);
    const wrong = spellings.filter(({ others }) => others.length > 0);
    say(`${wrong.length} routes have others than redirected or the same`);
    for (const { path, others } of wrong) say(`${path}: ${others[0]}`);
    say("The cost of single requests");
    return { spellings, costs: await measureCosts(server, hostileKinds(restQueries), say) };
  });
  const ordeals: Ordeal[] = [];
  for (const kind of ["none, for comparison", ...attackNames(restQueries)]) {
    for (const from of kind.startsWith("none") ? origins.slice(0, 1) : origins) {
      say(`${kind}, from ${from}: ${seconds} s`);
      const ordeal = await withServer(template, (server) =>
        attack(server, { kind, from, restQueries }),
      );
      ordeals.push(ordeal);
      const { pages, forms } = ordeal.visitors;
      const [page, form] = [pages, forms].map(
        ({ p99Ms, errors }) => `${p99Ms.toFixed(0)} ms (${errors} failed)`,
      );
      say(`killed ${ordeal.deaths.length} times, p99 of pages ${page}, of forms ${form}`);
    }
  }
  return [attackTable(ordeals, seconds), costTable(calm.costs), spellingsTable(calm.spellings)];
}

function attackNames(restQueries: HostileRequest[]): string[] {
  const all = [...hostileKinds(restQueries).map(({ name }) => name), slowConnections.name];
  return all.filter((name) => !onlyKinds || onlyKinds.includes(name));
}

async function withServer<Result>(
  template: string,
  use: (server: GuardedServer) => Promise<Result>,
): Promise<Result> {
  const server = await startGuardedServer(template);
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

type Attack = Pick<AttackOrder, "kind" | "from" | "restQueries">;

async function attack(server: GuardedServer, { kind, from, restQueries }: Attack): Promise<Ordeal> {
  const { port } = server;
  const visits: VisitOrder = { port, seconds };
  // Once without an attack, so that the pages that are visited are in memory.
  await runBeside<VisitReport>(visitorProgram, { ...visits, seconds: 1 });
  const visiting = runBeside<VisitReport>(visitorProgram, visits);
  await delay(headStartMs);
  const order: AttackOrder = {
    port,
    kind,
    from,
    restQueries,
    seconds: seconds - headStartMs / 1e3,
  };
  const attacking = kind.startsWith("none")
    ? null
    : runBeside<FloodTally>(attackerProgram, order, { nice: 19 });
  const [visitors, tally] = await Promise.all([visiting, attacking]);
  return {
    kind,
    from,
    visitors,
    tally,
    deaths: server.deaths,
    errors: server.errors(),
    peak: server.peak(),
    how: server.how,
  };
}
