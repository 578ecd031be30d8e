import type { Measurement } from "../measurement.ts";

/** What `npm run bench` measures, in the order of the report. */
export const performanceMeasurements: Measurement[] = [];
