import { setTimeout as delay } from "node:timers/promises";
import { type Browser, chromium } from "@playwright/test";
import { findChromium } from "../../scripts/chromium.ts";
import {
  type Batch,
  type Escape,
  hidesOthers,
  inBatches,
  publishBatches,
  tryBatches,
} from "../../tests/reliability/cross-site-scripting/try-vectors.ts";
import {
  inDocument,
  readVectors,
  type Vector,
  wrappings,
} from "../../tests/reliability/cross-site-scripting/vectors.ts";
import { type BuiltServer, startBuiltServer } from "../built-server.ts";
import type { BenchContext, BenchTable, Measurement } from "../measurement.ts";

/** Vectors in one issue, where it has several. */
const together = 40;
const saidEvery = 250;

type Tried = { how: string; tried: number; escaped: Escape[] };

type Attack = {
  how: string;
  batches: Batch[];
  withoutPolicy: boolean;
  way: "by address" | "by script";
};

/**
 * Shows every vector of the corpus in a browser, on the real page of an issue of its own: with the content security
 * policy and without it; then several to an issue, as a reader comes from issue to issue by script, and in other places
 * of a letter. What does anything that a harmless issue does not is an escape, and is named.
 */
export const xss: Measurement = {
  name: "xss",
  async run(context) {
    const executablePath = findChromium();
    if (!executablePath) throw new Error("There is no Chromium on this machine; see npm test.");
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    const server = await startBuiltServer();
    try {
      const tried: Tried[] = [];
      for (const attack of attacks(readVectors())) {
        tried.push(await carryOut(attack, { browser, server, context }));
      }
      return [tableOf(tried), ...tableOfEscapes(tried)];
    } finally {
      await browser.close();
      await server.stop();
    }
  },
};

function attacks(vectors: readonly Vector[]): Attack[] {
  const alone = inBatches(vectors, 1);
  const wrapped = wrappings.flatMap(({ name, wrap }) =>
    vectors.map(({ id, html }) => ({ id: `${id} ${name}`, html: wrap(html) })),
  );
  // What would hide the others in its issue has been tried alone.
  const many = (from: readonly Vector[], around?: Batch["around"]) =>
    inBatches(
      from.filter((vector) => !hidesOthers(vector, around)),
      together,
    ).map((batch) => ({ ...batch, around }));
  const letters = many(wrapped, inDocument);
  const way = "by address";
  return [
    { how: "alone, with the policy", batches: alone, way, withoutPolicy: false },
    { how: "alone, without the policy", batches: alone, way, withoutPolicy: true },
    {
      how: `${together} to an issue, opened by script, without the policy`,
      batches: many(vectors),
      way: "by script",
      withoutPolicy: true,
    },
    {
      how: `in ${wrappings.length} places of a letter, ${together} to an issue, without the policy`,
      batches: letters,
      way,
      withoutPolicy: true,
    },
  ];
}

type Surroundings = { browser: Browser; server: BuiltServer; context: BenchContext };

async function carryOut(attack: Attack, surroundings: Surroundings): Promise<Tried> {
  const { how, batches } = attack;
  const tried = batches.flatMap(({ vectors }) => vectors);
  surroundings.context.say(`${how}: ${tried.length} to try`);
  const suspects = await run(attack, surroundings);
  const suspected = new Set(suspects.flatMap(({ vectorIds }) => vectorIds));
  // Each vector of an issue from which something got out is tried again in an issue of its own, to name it.
  const again = inBatches(
    tried.filter(({ id }) => suspected.has(id)),
    1,
  );
  const isNamed = suspects.every(({ vectorIds }) => vectorIds.length === 1);
  const named = isNamed ? suspects : await run({ ...attack, batches: again }, surroundings);
  // What gets out in company alone has got out too.
  return { how, tried: tried.length, escaped: named.length > 0 ? named : suspects };
}

async function run(
  { batches, ...attack }: Attack,
  { server, browser, context }: Surroundings,
): Promise<Escape[]> {
  const database = { dataDir: server.dataDir, databaseUrl: null };
  await publishBatches({ database, passTime: (ms) => delay(ms) }, batches);
  let tried = 0;
  const onTried = (count: number) => {
    if (Math.floor(tried / saidEvery) < Math.floor((tried + count) / saidEvery))
      context.say(`${tried + count} tried`);
    tried += count;
  };
  // Two windows keep two cores busy; a reader who goes from issue to issue has one.
  const middle = attack.way === "by address" ? Math.ceil(batches.length / 2) : batches.length;
  const shares = [batches.slice(0, middle), batches.slice(middle)];
  const options = { ...attack, site: server, browser, onTried };
  const found = shares
    .filter((share) => share.length > 0)
    .map((share) => tryBatches({ ...options, batches: share }));
  return (await Promise.all(found)).flat();
}

function tableOf(tried: readonly Tried[]): BenchTable {
  const sum = (count: (one: Tried) => number) =>
    tried.reduce((total, one) => total + count(one), 0);
  return {
    title: "Cross-site scripting vectors shown in an issue's body",
    note:
      "A vector escapes when a script runs or is stopped only by the policy, a request leaves for anything but a " +
      "picture, the browser goes elsewhere, or anything outside the sheet is not as a harmless issue has it.",
    columns: ["how", "tried", "escaped"],
    rows: [
      ...tried.map(({ how, tried: count, escaped }) => [
        how,
        String(count),
        String(escaped.length),
      ]),
      ["all", String(sum((one) => one.tried)), String(sum(({ escaped }) => escaped.length))],
    ],
  };
}

function tableOfEscapes(tried: readonly Tried[]): BenchTable[] {
  const rows = tried.flatMap(({ how, escaped }) =>
    escaped.map(({ vectorIds, what }) => [vectorIds.join(" "), how, what.join("; ")]),
  );
  return rows.length === 0
    ? []
    : [{ title: "Escapes", columns: ["vector", "how", "what it did"], rows }];
}
