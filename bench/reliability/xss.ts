import { type Browser, chromium } from "@playwright/test";
import { findChromium } from "../../scripts/chromium.ts";
import {
  type Batch,
  type Escape,
  inBatches,
  publishBatches,
  tryBatches,
} from "../../tests/reliability/cross-site-scripting/try-vectors.ts";
import {
  readVectors,
  type Vector,
  wrappings,
} from "../../tests/reliability/cross-site-scripting/vectors.ts";
import { type BuiltServer, startBuiltServer } from "../built-server.ts";
import type { BenchContext, BenchTable, Measurement } from "../measurement.ts";

/** Wrapped vectors in one issue. */
const wrappedTogether = 40;
const saidEvery = 250;

type Tried = { how: string; tried: number; escaped: Escape[] };

type Attack = {
  how: string;
  vectors: readonly Vector[];
  /** Vectors in one issue. */
  together: number;
  withoutPolicy: boolean;
  way: "by address" | "by script";
};

/**
 * Shows every vector of the corpus in a browser, on the real page of an issue of its own: with the content security
 * policy and without it; then in other places of an issue, several to an issue; then as a reader comes from issue to
 * issue by script. What does anything that a harmless issue does not is an escape, and is named.
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
  const wrapped = wrappings.flatMap(({ name, wrap }) =>
    vectors.map(({ id, html }) => ({ id: `${id} ${name}`, html: wrap(html) })),
  );
  const alone = { vectors, together: 1, way: "by address" as const };
  return [
    { ...alone, how: "alone, with the policy", withoutPolicy: false },
    { ...alone, how: "alone, the policy switched off", withoutPolicy: true },
    {
      ...alone,
      how: "alone, opened by script, the policy switched off",
      way: "by script",
      withoutPolicy: true,
    },
    {
      how: `in ${wrappings.length} other places each, the policy switched off`,
      vectors: wrapped,
      together: wrappedTogether,
      way: "by address",
      withoutPolicy: true,
    },
  ];
}

type Surroundings = { browser: Browser; server: BuiltServer; context: BenchContext };

async function carryOut(
  attack: Attack,
  { browser, server, context }: Surroundings,
): Promise<Tried> {
  const { how, vectors, together, withoutPolicy, way } = attack;
  context.say(`${how}: ${vectors.length} to try`);
  let tried = 0;
  const run = async (batches: Batch[]) => {
    await publishBatches(server, batches);
    const onTried = (count: number) => {
      const before = tried;
      tried += count;
      if (Math.floor(before / saidEvery) < Math.floor(tried / saidEvery)) {
        context.say(`${tried} tried`);
      }
    };
    // Two windows keep two cores busy; a reader who goes from issue to issue has one.
    const middle = way === "by address" ? Math.ceil(batches.length / 2) : batches.length;
    const shares = [batches.slice(0, middle), batches.slice(middle)];
    const options = { site: server, browser, withoutPolicy, way, onTried };
    const found = shares
      .filter((share) => share.length > 0)
      .map((share) => tryBatches({ ...options, batches: share }));
    return (await Promise.all(found)).flat();
  };
  const batches = inBatches(vectors, together);
  const suspects = await run(batches);
  if (together === 1 || suspects.length === 0) return { how, tried, escaped: suspects };
  // Something in these issues got out: each of their vectors again, in an issue of its own, to name it.
  const named = new Set(suspects.flatMap(({ vectorIds }) => vectorIds));
  const again = inBatches(
    vectors.filter(({ id }) => named.has(id)),
    1,
  );
  const escaped = await run(again);
  const count = vectors.length;
  // What escapes in company alone is an escape too.
  return { how, tried: count, escaped: escaped.length > 0 ? escaped : suspects };
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
