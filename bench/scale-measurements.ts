import type { Measurement } from "./measurement.ts";
import { growthOn } from "./performance/growth.ts";
import { copiesAtOnce } from "./reliability/copies.ts";
import { drain } from "./reliability/drain.ts";
import { twoCopies } from "./reliability/two-copies.ts";
import { writeCopies } from "./reliability/write-copies.ts";

/** What `npm run bench -- scale` measures, in the order of the report. */
export const scaleMeasurements: Measurement[] = [
  copiesAtOnce,
  twoCopies,
  writeCopies,
  drain,
  growthOn("sqlite"),
  growthOn("postgres"),
];
