import type { Measurement } from "./measurement.ts";
import { bundleReport } from "./performance/bundle-report.ts";
import { growthOn } from "./performance/growth.ts";
import { lifecycle } from "./performance/lifecycle.ts";
import { lighthouse } from "./performance/lighthouse.ts";
import { pageWeight } from "./performance/page-weight.ts";
import { throughput } from "./performance/throughput.ts";
import { writes } from "./performance/writes.ts";
import { copiesAtOnce } from "./reliability/copies.ts";
import { drain } from "./reliability/drain.ts";
import { faults } from "./reliability/faults.ts";
import { fuzz } from "./reliability/fuzz.ts";
import { hostileCosts } from "./reliability/hostile-costs.ts";
import { kills } from "./reliability/kills.ts";
import { observatory } from "./reliability/observatory.ts";
import { readersModel } from "./reliability/readers-model.ts";
import { sends } from "./reliability/sends.ts";
import { sendsUnderFire } from "./reliability/sends-under-fire.ts";
import { slowClientAttacks } from "./reliability/slow-clients.ts";
import { storm } from "./reliability/storm.ts";
import { twoCopies } from "./reliability/two-copies.ts";
import { writeCopies } from "./reliability/write-copies.ts";
import { xss } from "./reliability/xss.ts";

/** What `npm run bench` measures, in the order of the report. */
export const performanceMeasurements: Measurement[] = [
  throughput,
  writes,
  lifecycle,
  pageWeight,
  bundleReport,
  lighthouse,
];

/** What `npm run bench -- reliability` measures, in the order of the report. */
export const reliabilityMeasurements: Measurement[] = [
  kills,
  faults,
  observatory,
  xss,
  storm,
  fuzz,
  slowClientAttacks,
  hostileCosts,
  readersModel,
  sendsUnderFire,
  sends,
];

/** What `npm run bench -- scale` measures, in the order of the report. */
export const scaleMeasurements: Measurement[] = [
  copiesAtOnce,
  twoCopies,
  writeCopies,
  drain,
  growthOn("sqlite"),
  growthOn("postgres"),
];
