import fc from "fast-check";
import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { stepArbitrary } from "./actions.ts";
import { createReaderWorld } from "./reader-world.ts";

const stepsMax = 25;
const start = Date.parse("2026-11-21T14:00:00.000Z");

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
  await fc.assert(
    fc.asyncProperty(
      fc.array(stepArbitrary, { maxLength: stepsMax, size: "max" }),
      async (sequence) => {
        begun += 1;
        const world = createReaderWorld(db, begun, start);
        await world.begin();
        for (const step of sequence) {
          steps += 1;
          await world.take(step);
        }
      },
    ),
    { numRuns: sequences, seed, endOnFailure: false },
  );
  return { steps };
}
