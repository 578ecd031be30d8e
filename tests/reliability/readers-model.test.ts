import { expect, test } from "vitest";
import { describeOnEachDatabase } from "../databases.ts";
import { runSequences } from "./readers/run-sequences.ts";

const sequences = { sqlite: 100, postgres: 8 };

describeOnEachDatabase("who is a reader, whatever happens in whatever order", (database) => {
  test("keeps every promise about mail, proof and the webhook", async () => {
    const { steps } = await runSequences(database.db, {
      sequences: sequences[database.kind],
      seed: 20_261_121,
    });
    expect(steps).toBeGreaterThan(sequences[database.kind]);
  });
});
