import type { Measurement } from "./measurement.ts";
import { lighthouse } from "./performance/lighthouse.ts";
import { pageWeight } from "./performance/page-weight.ts";
import { throughput } from "./performance/throughput.ts";
import { writes } from "./performance/writes.ts";

/** What `npm run bench` measures, in the order of the report. */
export const measurements: Measurement[] = [throughput, writes, pageWeight, lighthouse];
