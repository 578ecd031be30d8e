import type { Measurement } from "../measurement.ts";

/** What `npm run bench -- reliability` measures, in the order of the report. */
export const reliabilityMeasurements: Measurement[] = [];
