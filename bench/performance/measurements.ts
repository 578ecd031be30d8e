import type { Measurement } from "../measurement.ts";
import { bundleReport } from "./bundle-report.ts";
import { lifecycle } from "./lifecycle.ts";
import { lighthouse } from "./lighthouse.ts";
import { pageWeight } from "./page-weight.ts";
import { throughput } from "./throughput.ts";
import { writes } from "./writes.ts";

/** What `npm run bench` measures, in the order of the report. */
export const performanceMeasurements: Measurement[] = [
  throughput,
  writes,
  lifecycle,
  pageWeight,
  bundleReport,
  lighthouse,
];
