import type { Measurement } from "../measurement.ts";
import { bundleReport } from "./bundle-report.ts";
import { lighthouse } from "./lighthouse.ts";
import { pageWeight } from "./page-weight.ts";

/** What `npm run bench` measures, in the order of the report. */
export const performanceMeasurements: Measurement[] = [pageWeight, bundleReport, lighthouse];
