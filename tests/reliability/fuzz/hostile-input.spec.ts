import { expect, test } from "@playwright/test";
import { runFuzz } from "./run-fuzz.ts";
import { startFuzzServer } from "./start-fuzz-server.ts";
import { newTally } from "./tally.ts";
import { WriteLedger } from "./write-ledger.ts";

const runs = 2_500;
/** One seed for every run of the tests; `npm run bench -- fuzz` takes others, and prints them. */
const seed = Number(process.env.FUZZ_SEED ?? 20_261_121);

test(`${runs} hostile requests through every door break nothing and write nothing that may not be written`, async () => {
  test.setTimeout(120_000);
  const server = await startFuzzServer();
  try {
    const ledger = new WriteLedger(server.dataDir);
    const tally = newTally();
    expect(await runFuzz({ server, ledger, tally, seed, runs })).toEqual([]);
    expect(tally.requests).toBeGreaterThanOrEqual(runs);
    expect(tally.serverFailures).toBe(0);
    expect(server.crash()).toBeNull();
    expect(server.errors).toEqual([]);
    // That nothing was written where nothing gets through would prove little.
    expect(ledger.written.messages).toBeGreaterThan(0);
    expect(ledger.written.subscribers).toBeGreaterThan(0);
    expect(ledger.findings()).toEqual([]);
  } finally {
    await server.close();
  }
});
