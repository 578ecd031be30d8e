import fc from "fast-check";
import { expect, test } from "vitest";
import { describeOnEachDatabase } from "../databases.ts";
import { stepArbitrary } from "./readers/actions.ts";
import { createReaderWorld } from "./readers/reader-world.ts";

const sequences = { sqlite: 200, postgres: 8 };
const stepsMax = 25;
const start = Date.parse("2026-11-21T14:00:00.000Z");

/**
 * Lets visitors, programs and the operator do random things to a few mailboxes, in random spellings, one after the other
 * and at the same instant, with mail that arrives, fails or is given up. Fails with the shortest sequence that breaks a
 * promise. The sequences share a database, each with mailboxes of its own.
 */
describeOnEachDatabase("who is a reader, whatever happens in whatever order", (database) => {
  test("keeps every promise about mail, proof and the webhook", async () => {
    let begun = 0;
    let steps = 0;
    const anyOrder = fc.array(stepArbitrary, { maxLength: stepsMax, size: "max" });
    const numRuns = sequences[database.kind];
    await fc.assert(
      fc.asyncProperty(anyOrder, async (sequence) => {
        begun += 1;
        const world = createReaderWorld(database.open, begun, start);
        await world.begin();
        for (const step of sequence) {
          steps += 1;
          await world.take(step);
        }
      }),
      { numRuns, seed: 20_261_121 },
    );
    expect(steps).toBeGreaterThan(numRuns);
  });
});
