// Measures the built site and writes the results to the terminal and into docs/.
//
//   npm run bench                       everything about speed and size, into docs/performance.md
//   npm run bench -- reliability        everything about faults and attacks, into docs/reliability.md
//   npm run bench -- scale              everything about several copies and about growth, into docs/scale.md
//   npm run bench -- NAME …             only these measurements
//   npm run bench -- NAME --print       to the terminal alone, for a trial
//   npm run bench -- --list             their names
import path from "node:path";
import { describeMachine } from "./machine.ts";
import { asText, type Measurement } from "./measurement.ts";
import {
  performanceMeasurements,
  reliabilityMeasurements,
  scaleMeasurements,
} from "./measurements.ts";
import { writeIntoReport } from "./report-file.ts";

const docs = path.join(import.meta.dirname, "..", "docs");

const groups = [
  { name: "performance", measurements: performanceMeasurements, file: "performance.md" },
  { name: "reliability", measurements: reliabilityMeasurements, file: "reliability.md" },
  { name: "scale", measurements: scaleMeasurements, file: "scale.md" },
];

// What a measurement has started ends with it, also where somebody stops it.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const isTrial = process.argv.includes("--print");
const asked = process.argv.slice(2).filter((word) => word !== "--print");
if (asked.includes("--list")) {
  for (const { name, measurements } of groups) {
    console.log(`${name}: ${measurements.map((measurement) => measurement.name).join(", ")}`);
  }
} else {
  process.exitCode = (await runAsked(asked.length > 0 ? asked : ["performance"])) ? 0 : 1;
}

/** Runs what was asked for, one at a time, since two measurements at once measure each other. */
async function runAsked(names: string[]): Promise<boolean> {
  const chosen = groups.flatMap(({ name: group, measurements, file }) =>
    measurements
      .filter(({ name }) => names.includes(group) || names.includes(name))
      .map((measurement) => ({ measurement, file: path.join(docs, file) })),
  );
  const known = groups.flatMap(({ name, measurements }) => [
    name,
    ...measurements.map((measurement) => measurement.name),
  ]);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    console.error(`No measurement is called ${unknown.join(", ")}. Known: ${known.join(", ")}.`);
    return false;
  }
  let succeeded = true;
  for (const { measurement, file } of chosen)
    succeeded = (await runOne(measurement, file)) && succeeded;
  return succeeded;
}

async function runOne(measurement: Measurement, file: string): Promise<boolean> {
  console.log(`\n== ${measurement.name}`);
  try {
    const tables = await measurement.run({ say: (line) => console.log(`   ${line}`) });
    for (const table of tables) console.log(`\n${asText(table)}`);
    if (isTrial) return true;
    const takenOn = new Date().toISOString().slice(0, 10);
    writeIntoReport(file, { name: measurement.name, tables, takenOn, machine: describeMachine() });
    return true;
  } catch (error) {
    console.error(`${measurement.name} could not be measured:`, error);
    return false;
  }
}
