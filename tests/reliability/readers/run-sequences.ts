import fc from "fast-check";
import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { type Step, stepArbitrary } from "./actions.ts";
import { createReaderWorld } from "./reader-world.ts";

const stepsMax = 25;
const start = Date.parse("2026-11-21T14:00:00.000Z");

type World = ReturnType<typeof createReaderWorld>;

/**
 * Lets visitors, programs and the operator do random things to a few mailboxes, in random spellings, one after the other
 * and at the same instant, with mail that arrives, fails or is given up. Throws with the shortest sequence that breaks a
 * promise. The sequences share a database, each with mailboxes of its own.
 */
export async function runSequences(
  db: Kysely<Database>,
  { sequences, seed }: { sequences: number; seed: number },
): Promise<{ steps: number }> {
  let begun = 0;
  let steps = 0;
  const commands = fc.commands(
    [stepArbitrary.map((step) => new Command(step, () => (steps += 1)))],
    { maxCommands: stepsMax, size: "max" },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      begun += 1;
      const world = createReaderWorld(db, begun, start);
      await world.begin();
      await fc.asyncModelRun(() => ({ model: {}, real: world }), sequence);
    }),
    { numRuns: sequences, seed, endOnFailure: false },
  );
  return { steps };
}

/** The expectation lives in the world, beside what it is compared with: it follows what was stored. */
class Command implements fc.AsyncCommand<object, World> {
  readonly #step: Step;
  readonly #count: () => void;

  constructor(step: Step, count: () => void) {
    this.#step = step;
    this.#count = count;
  }

  check(): boolean {
    return true;
  }

  async run(_model: object, world: World): Promise<void> {
    this.#count();
    await world.take(this.#step);
  }

  toString(): string {
    return JSON.stringify(this.#step);
  }
}
