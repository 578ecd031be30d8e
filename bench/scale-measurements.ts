import type { Measurement } from "./measurement.ts";
import { growthOn } from "./performance/growth.ts";
import { copiesAtOnce } from "./reliability/copies.ts";
import { twoCopies } from "./reliability/two-copies.ts";

/** What `npm run bench -- scale` measures, in the order of the report. */
export const scaleMeasurements: Measurement[] = [
  copiesAtOnce,
  twoCopies,
  growthOn("sqlite"),
  growthOn("postgres"),
];
