import type { Measurement } from "../measurement.ts";
import { faults } from "./faults.ts";
import { fuzz } from "./fuzz.ts";
import { hostileCosts } from "./hostile-costs.ts";
import { kills } from "./kills.ts";
import { observatory } from "./observatory.ts";
import { readersModel } from "./readers-model.ts";
import { sends } from "./sends.ts";
import { sendsUnderFire } from "./sends-under-fire.ts";
import { slowClientAttacks } from "./slow-clients.ts";
import { storm } from "./storm.ts";
import { xss } from "./xss.ts";

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
